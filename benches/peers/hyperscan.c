/* What one would write with Hyperscan: it finds the schemes, a loop of our own finds where the URL ends.
 *
 * hyperscan [--offsets] FILE    a URL a line, with --offsets as OFFSET:URL
 * hyperscan --version           the library's version
 *
 * The answer is meant to be that of the regular expression which ripgrep gets: a scheme after a word boundary, then all
 * up to white space, '<', '>' or '"'. One pattern a scheme, whose id is its length, tells the start without Hyperscan's
 * start-of-match tracking. (One pattern for all schemes, with a look back over the letters, costs the same.) */

#define _GNU_SOURCE /* memrchr, fwrite_unlocked */
#include <errno.h>
#include <fcntl.h>
#include <hs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 1 << 20, SCHEMES = 11 };

static const char *const PATTERNS[SCHEMES] = {
    "\\bhttp:",   "\\bhttps:", "\\bftp:",  "\\bgopher:", "\\bnews:",     "\\bnntp:",
    "\\bmailto:", "\\btelnet:", "\\bwais:", "\\bfile:",   "\\bprospero:",
};

static const unsigned char ENDS_URL[256] = {
    ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1,
};

/* A stretch of whole lines, and how far its URLs have been printed. */
struct window {
    const char *text;
    size_t length, printed;
    unsigned long long offset;
    int offsets;
};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "hyperscan: %s: %s\n", what, why);
    exit(2);
}

static int found(unsigned scheme, unsigned long long from, unsigned long long to, unsigned flags, void *context) {
    (void)from, (void)flags;
    struct window *window = context;
    size_t start = to - scheme, end = to;
    if (start < window->printed) return 0; /* inside the URL before */
    while (end < window->length && !ENDS_URL[(unsigned char)window->text[end]]) end++;
    if (end == to) return 0;
    if (window->offsets) printf("%llu:", window->offset + start);
    fwrite_unlocked(window->text + start, 1, end - start, stdout);
    putchar_unlocked('\n');
    window->printed = end;
    return 0;
}

static hs_database_t *compile(void) {
    unsigned flags[SCHEMES], lengths[SCHEMES];
    for (int i = 0; i < SCHEMES; i++) {
        flags[i] = HS_FLAG_CASELESS;
        lengths[i] = strlen(PATTERNS[i]) - strlen("\\b");
    }
    hs_database_t *database;
    hs_compile_error_t *error;
    if (hs_compile_multi(PATTERNS, flags, lengths, SCHEMES, HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS)
        fail("patterns", error->message);
    return database;
}

/* Reads windows that end with a line, which no URL crosses; a line longer than the window is cut. */
static void search(int file, const char *name, int offsets) {
    static char buffer[WINDOW];
    hs_database_t *database = compile();
    hs_scratch_t *scratch = NULL;
    if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) fail(name, "no memory");
    struct window window = {.text = buffer, .offsets = offsets};
    for (size_t kept = 0;;) {
        ssize_t got = read(file, buffer + kept, WINDOW - kept);
        if (got < 0) fail(name, strerror(errno));
        size_t filled = kept + (size_t)got;
        if (filled == 0) break;
        const char *line_end = got > 0 ? memrchr(buffer, '\n', filled) : NULL;
        window.length = line_end ? (size_t)(line_end + 1 - buffer) : filled;
        window.printed = 0;
        if (hs_scan(database, buffer, window.length, 0, scratch, found, &window) != HS_SUCCESS)
            fail(name, "the scan failed");
        window.offset += window.length;
        kept = filled - window.length;
        memmove(buffer, buffer + window.length, kept);
    }
}

int main(int count, char **arguments) {
    int offsets = count > 1 && strcmp(arguments[1], "--offsets") == 0;
    if (count > 1 && strcmp(arguments[1], "--version") == 0) return puts(hs_version()) < 0;
    if (count != 2 + offsets) fail("arguments", "[--offsets] FILE, or --version");
    int file = open(arguments[count - 1], O_RDONLY);
    if (file < 0) fail(arguments[count - 1], strerror(errno));
    search(file, arguments[count - 1], offsets);
    if (fflush(stdout) != 0) fail("output", strerror(errno));
    return 0;
}
