"use strict";
// Draws the list of links. Reads the rows from the page, keeps an order and a selection of them as lists of numbers, and
// shows one page of them. Text stays text: nothing here parses markup, and the page's policy would not let markup run.
(() => {
    const $ = (id) => document.getElementById(id);

    // Reads the rows that html/data.rs writes. Removes each block once it is read, to free its memory.
    const blocks = (name) => {
        const elements = [...document.querySelectorAll(`script.${name}`)];
        return elements.flatMap((element) => {
            const rows = JSON.parse(element.textContent);
            element.remove();
            return rows;
        });
    };
    const [{ levels, severities, rules }] = blocks("names");
    const [URL, COUNT, MESSAGES, FIRST, LAST, SCHEME, HOST, LEVEL, LIVE, RULES, ERROR, STATUS, SPOT, FURTHER] = Array(14).keys();
    const [FILE, OFFSET, , LINE, COLUMN, KIND, MESSAGE, PART, ENCODING, IN_FILE, CONTEXT] = Array(11).keys();
    const [ID, DATE, FROM, SUBJECT, NUMBER] = Array(5).keys();
    const links = blocks("links");
    // 0 stands for the value of the previous row.
    const or = (value, before) => (value === 0 ? before : value);
    let file;
    let message;
    const fill = (place, at) => {
        file = place[FILE] = or(place[FILE], file);
        if (place[at] !== null) message = place[at] = or(place[at], message);
    };
    for (const row of links) {
        const [spot, further] = row[SPOT];
        fill(spot, MESSAGE);
        for (const place of further) fill(place, 4);
        row[SPOT] = spot;
        row[FURTHER] = further;
    }

    // The findings of each link, and the set of their severities as bits.
    const findings = new Map();
    const bits = new Uint8Array(links.length);
    let url;
    for (const [link, rule, severity, count, text, urlOrSame, fileOrSame, line] of blocks("findings")) {
        url = or(urlOrSame, url);
        file = or(fileOrSame, file);
        if (!findings.has(link)) findings.set(link, []);
        findings.get(link).push({ rule, severity, count, text, url, file, line });
        bits[link] |= 1 << severity;
    }

    const number = (value) => value.toLocaleString("en");
    const day = (packed) => {
        if (packed === null) return "";
        const two = (value) => String(value).padStart(2, "0");
        return `${String(packed >> 9).padStart(4, "0")}-${two((packed >> 5) & 15)}-${two(packed & 31)}`;
    };
    const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 40)}…${text.slice(-40)}` : text);
    const element = (name, properties = {}, ...children) => {
        const made = Object.assign(document.createElement(name), properties);
        made.append(...children);
        return made;
    };
    // Returns the parts of a sentence in which backticks mark code.
    const prose = (text) => text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
    const badge = (severity, text = severities[severity]) =>
        element("span", { className: `badge ${severities[severity]}` }, text);

    // Returns the text that a filter shows for each value.
    const words = (name) => new Map([...$("filters").elements[name].options].map(({ value, text }) => [value, text]));
    const standards = words("level");
    const manners = words("kind");
    const worst = (link) => 31 - Math.clz32(bits[link]);

    // The columns, with their cells and sort keys. A column of text sorts by rank, which is computed once.
    const columns = [
        { name: "URL", key: URL, text: true, cell: opener },
        { name: "Places", key: COUNT, className: "number", cell: (row) => number(row[COUNT]) },
        { name: "Messages", key: MESSAGES, className: "number messages", cell: (row) => number(row[MESSAGES]) },
        { name: "First", key: FIRST, className: "date first", cell: (row) => day(row[FIRST]) },
        { name: "Last", key: LAST, className: "date last", cell: (row) => day(row[LAST]) },
        { name: "Scheme", key: SCHEME, text: true, className: "scheme", cell: (row) => cut(row[SCHEME], 80) },
        { name: "Host", key: HOST, text: true, className: "host", cell: (row) => cut(row[HOST] ?? "", 80) },
        {
            name: "Standard",
            key: LEVEL,
            ascending: true,
            className: "level",
            cell: (row) => standards.get(levels[row[LEVEL]]),
        },
        { name: "Findings", key: RULES, value: (_, link) => worst(link), cell: marks },
    ];
    // The results of a link checker, if there are any: a column, and a filter with the number of links per result.
    const checked = Map.groupBy(
        links.filter((row) => row[STATUS]),
        (row) => row[STATUS][0],
    );
    if (checked.size > 0) {
        const status = $("filters").elements.status;
        status.closest("label").hidden = false;
        for (const [name, { length }] of checked) {
            status.append(element("option", { value: name }, `${name} (${number(length)})`));
        }
        const text = (row) => row[STATUS]?.[1] ?? "";
        columns.push({ name: "Checked", key: STATUS, text: true, className: "status", value: text, cell: text });
    }
    const ranks = (column) => {
        if (column.ranks) return column.ranks;
        const value = column.value ?? ((row) => row[column.key]);
        const made = new Float64Array(links.length);
        if (column.text) {
            const texts = links.map((row) => value(row) ?? "");
            const sorted = [...texts.keys()].sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
            let rank = 0;
            sorted.forEach((link, at) => {
                if (at > 0 && texts[link] !== texts[sorted[at - 1]]) rank++;
                made[link] = rank;
            });
        } else {
            links.forEach((row, link) => (made[link] = value(row, link) ?? -Infinity));
        }
        return (column.ranks = made);
    };

    // The form holds the filters, and these variables hold the rest of the state.
    const form = $("filters");
    const body = document.querySelector("#list tbody");
    const order = [...links.keys()];
    // The rows come worst first, then by places. The list keeps this order until it is sorted.
    const standing = { column: columns[8], descending: true };
    let sorted = standing;
    let shown = order;
    let start = 0;

    const sort = () => {
        const by = ranks(sorted.column);
        const sign = sorted.descending ? -1 : 1;
        // The sort is stable: equal rows keep their order, so columns can be sorted one after the other.
        order.sort((a, b) => (by[a] === by[b] ? 0 : by[a] < by[b] ? -sign : sign));
    };

    // Returns the texts to search, in lower case. The first search builds them.
    let texts = null;
    const searched = () =>
        (texts ??= links.map((row) => {
            const [, , from, subject] = row[SPOT][MESSAGE] ?? [];
            return [row[URL], row[HOST], from, subject, row[SPOT][FILE]].join("\n").toLowerCase();
        }));

    // Returns the filters in use, each as a test of a link.
    const tests = () => {
        const { text, severity, rule, scheme, host, level, error, kind, status, from, to, found } = form.elements;
        const made = [];
        const choose = ({ value }, test) => value && made.push(test(value));
        choose(severity, (value) => {
            const bit = 1 << severities.indexOf(value);
            return (_, link) => bits[link] & bit;
        });
        choose(rule, (value) => {
            const index = rules.findIndex(([id]) => id === value);
            return (row) => row[RULES].includes(index);
        });
        choose(scheme, (value) => (row) => row[SCHEME] === value);
        choose(host, (value) => {
            const name = value.trim().toLowerCase();
            if (!name.startsWith("*.")) return (row) => row[HOST]?.toLowerCase() === name;
            // The domain itself, and all hosts below it.
            return (row) => `.${row[HOST]?.toLowerCase()}`.endsWith(name.slice(1));
        });
        choose(level, (value) => {
            const index = levels.indexOf(value);
            return (row) => row[LEVEL] === index;
        });
        choose(error, (value) => (row) => row[ERROR]?.[0] === value);
        choose(kind, (value) => (row) => row[SPOT][KIND] === value);
        choose(status, (value) => (row) => row[STATUS]?.[0] === value);
        choose(from, (value) => (row) => row[LAST] !== null && row[LAST] >> 9 >= Number(value));
        choose(to, (value) => (row) => row[FIRST] !== null && row[FIRST] >> 9 <= Number(value));
        if (found.checked) made.push((row) => row[RULES].length > 0);
        // The slowest test comes last.
        choose(text, (value) => {
            const words = value.toLowerCase().split(/\s+/).filter(Boolean);
            const all = searched();
            return (_, link) => words.every((word) => all[link].includes(word));
        });
        return made;
    };

    const filter = () => {
        const all = tests();
        shown = all.length === 0 ? order : order.filter((link) => all.every((test) => test(links[link], link)));
        start = 0;
        for (const control of form.elements) {
            control.classList.toggle(
                "used",
                control.type !== "reset" && control.type !== "checkbox" && control.value !== "",
            );
        }
        keep();
        draw();
    };

    // Stores the view in the address, so that it can be saved and sent. Browsers allow few changes at a time.
    const named = (control) => (control.name === "text" ? "q" : control.name);
    let kept;
    const keep = () => {
        clearTimeout(kept);
        kept = setTimeout(() => {
            const state = new URLSearchParams();
            for (const control of form.elements) {
                const value = control.type === "checkbox" ? (control.checked ? "1" : "") : control.value;
                if (control.name && value) state.set(named(control), value);
            }
            if (sorted !== standing) state.set("sort", $("sort").value.replace(" ", "-"));
            const hash = state.size > 0 ? `#${state}` : "";
            if (hash || location.hash.includes("=")) {
                history.replaceState(null, "", hash || location.pathname + location.search);
            }
        }, 150);
    };
    const restore = () => {
        if (!location.hash.includes("=")) return false;
        const state = new URLSearchParams(location.hash.slice(1));
        for (const control of form.elements) {
            const value = state.get(named(control)) ?? "";
            if (control.type === "checkbox") control.checked = value === "1";
            else if (control.name) control.value = value;
        }
        const [at, descending] = (state.get("sort") ?? "").split("-");
        sorted = columns[at] ? { column: columns[at], descending: descending === "true" } : standing;
        return true;
    };

    const draw = () => {
        const size = Number($("size").value);
        const end = Math.min(start + size, shown.length);
        body.replaceChildren(...shown.slice(start, end).map(drawn));
        const range =
            shown.length === 0 ? "No link" : `${number(start + 1)}–${number(end)} of ${number(shown.length)} links`;
        $("count").textContent =
            shown.length === links.length ? range : `${range} (filtered from ${number(links.length)})`;
        $("first").disabled = $("previous").disabled = start === 0;
        $("next").disabled = $("last").disabled = end === shown.length;
        for (const { column, head } of heads) {
            if (column !== sorted.column) head.removeAttribute("aria-sort");
            else head.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
        }
        $("sort").value = `${columns.indexOf(sorted.column)} ${sorted.descending}`;
    };

    const drawn = (link) => {
        const row = links[link];
        return element(
            "tr",
            {},
            ...columns.map(({ key, className, cell }) => {
                const head = key === URL;
                const made = element(
                    head ? "th" : "td",
                    { className: head ? "url" : (className ?? "") },
                    cell(row, link),
                );
                if (head) made.scope = "row";
                return made;
            }),
        );
    };

    // Returns the scheme and host of a URL in one unbroken piece, and the rest.
    const unbroken = (url) => {
        const [start = ""] = url.match(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i) ?? [];
        return start ? [element("span", { className: "start" }, start), url.slice(start.length)] : [url];
    };

    function opener(row, link) {
        const button = element(
            "button",
            { type: "button", className: "opener" },
            element("span", {}, ...unbroken(cut(row[URL], 240))),
        );
        button.setAttribute("aria-expanded", "false");
        button.addEventListener("click", () => {
            const open = button.getAttribute("aria-expanded") === "true";
            button.setAttribute("aria-expanded", String(!open));
            const line = button.closest("tr");
            if (open) {
                line.nextElementSibling.remove();
                button.removeAttribute("aria-controls");
            } else {
                const id = `link-${link}`;
                line.after(
                    element(
                        "tr",
                        { className: "more", id },
                        element("td", { colSpan: columns.length }, panel(row, link)),
                    ),
                );
                button.setAttribute("aria-controls", id);
            }
        });
        return button;
    }

    function marks(row, link) {
        const found = findings.get(link) ?? [];
        const severity = (rule) =>
            found.filter((one) => one.rule === rule).reduce((most, one) => Math.max(most, one.severity), 0);
        const all = row[RULES].map((rule) => [severity(rule), rule]).sort(([a], [b]) => b - a);
        const some = all.slice(0, 3).map(([severity, rule]) => badge(severity, rules[rule][0]));
        if (all.length > 3) some.push(`+${all.length - 3}`);
        return element("span", { className: "marks" }, ...some);
    }

    // The most findings to show per link.
    const MOST = 20;

    // Returns all details of a link.
    const panel = (row, link) => {
        const spot = row[SPOT];
        const found = findings.get(link) ?? [];
        const left = element("div");
        if (spot[CONTEXT]) {
            const [before, match, after] = spot[CONTEXT];
            left.append(
                element("h3", {}, "The first place"),
                element("pre", {}, before.trimStart(), element("mark", {}, match), after.trimEnd()),
            );
        }
        if (found.length > 0) {
            // A broken link has one finding per place, which can be many.
            const worstFirst = found.toSorted((a, b) => b.severity - a.severity);
            const items = worstFirst.slice(0, MOST).map((one) => finding(one, row));
            if (found.length > MOST) items.push(element("li", {}, `and ${number(found.length - MOST)} more`));
            left.append(element("h3", {}, "Findings"), element("ul", {}, ...items));
        }
        const facts = element("dl");
        const fact = (name, value) => {
            if (value !== null && value !== undefined && value !== "")
                facts.append(element("dt", {}, name), element("dd", {}, value));
        };
        fact("URL", row[URL]);
        if (row[LIVE])
            fact(
                "Visit",
                element(
                    "a",
                    { href: row[URL], rel: "noopener noreferrer nofollow", target: "_blank" },
                    "open in a new tab",
                ),
            );
        fact(
            "Places",
            row[MESSAGES] > 0 ? `${number(row[COUNT])}, in messages: ${number(row[MESSAGES])}` : number(row[COUNT]),
        );
        fact("Dates", row[FIRST] === row[LAST] ? day(row[FIRST]) : `${day(row[FIRST])} to ${day(row[LAST])}`);
        fact("Scheme", row[SCHEME]);
        fact("Host", row[HOST]);
        fact("Standard", standards.get(levels[row[LEVEL]]));
        fact("Why not RFC 1738", row[ERROR]?.[1]);
        fact("Checked", row[STATUS]?.[1]);
        fact("File", spot[FILE]);
        fact("Line", `${number(spot[LINE])}, column ${number(spot[COLUMN])}`);
        fact("Offset", `${number(spot[OFFSET])}${spot[IN_FILE] ? "" : " in the decoded part"}`);
        fact("Written as", manners.get(spot[KIND]) ?? spot[KIND]);
        if (spot[MESSAGE]) {
            fact("Message", spot[MESSAGE][NUMBER] && number(spot[MESSAGE][NUMBER]));
            fact("Message-ID", spot[MESSAGE][ID]);
            fact("Subject", spot[MESSAGE][SUBJECT]);
            fact("From", spot[MESSAGE][FROM]);
            fact("Sent", spot[MESSAGE][DATE]);
            fact("Part", spot[PART]);
            fact("Encoding", spot[ENCODING]);
        }
        const right = element("div", {}, element("h3", {}, "The link"), facts);
        if (row[FURTHER].length > 0) left.append(...places(row));
        return element("div", { className: "panel" }, left, right);
    };

    // Returns the places that the page holds, ten at a time.
    const places = (row) => {
        const spot = row[SPOT];
        const first = [spot[FILE], spot[LINE], spot[COLUMN], spot[KIND], spot[MESSAGE], spot[PART]];
        const all = [first, ...row[FURTHER]];
        const size = 10;
        let from = 0;
        const list = element("ol", { className: "all-places" });
        const range = element("span", { className: "range" });
        const turn = (name, by) => {
            const button = element("button", { type: "button" }, name);
            button.addEventListener("click", () => {
                from += by;
                show();
            });
            return button;
        };
        const [previous, next] = [turn("Previous places", -size), turn("Next places", size)];
        const show = () => {
            list.start = from + 1;
            list.replaceChildren(...all.slice(from, from + size).map(place));
            const last = Math.min(from + size, all.length);
            const more = row[COUNT] - all.length;
            range.textContent =
                `${number(from + 1)}–${number(last)} of ${number(row[COUNT])}` +
                (more > 0 ? `; the page holds the first ${number(all.length)}` : "");
            previous.disabled = from === 0;
            next.disabled = last === all.length;
        };
        show();
        const turns = all.length > size ? [previous, next] : [];
        return [element("h3", {}, "All places"), list, element("div", { className: "turns" }, range, ...turns)];
    };
    const place = ([file, line, column, , message, part]) => {
        const item = element("li", {}, `${file}, line ${number(line)}, column ${number(column)}`);
        if (message) {
            const facts = [message[DATE], message[FROM], message[SUBJECT], part && `part ${part}`].filter(Boolean);
            const numbered = message[NUMBER] ? [`message ${number(message[NUMBER])}`] : [];
            item.append(element("p", {}, element("small", {}, [...numbered, ...facts].join(" · "))));
        }
        return item;
    };

    const finding = ({ rule, severity, count, text, url, file, line }, row) => {
        const [id, , remedy] = rules[rule];
        const item = element("li", {}, badge(severity), " ", element("code", {}, id), element("p", {}, ...prose(text)));
        item.append(element("p", {}, element("small", {}, ...prose(remedy))));
        const where = `${file}, line ${number(line)}${count > 1 ? `, and ${number(count - 1)} more` : ""}`;
        item.append(element("p", {}, element("small", {}, url === row[URL] ? where : `${url} in ${where}`)));
        return item;
    };

    // The head of the table, and the event listeners.
    const resort = (column, descending) => {
        sorted = { column, descending };
        sort();
        filter();
    };
    const heads = columns.map((column) => {
        const button = element("button", { type: "button", className: "sorter" }, column.name);
        const head = element("th", { scope: "col", className: column.className ?? "" }, button);
        button.addEventListener("click", () => {
            const again = sorted.column === column;
            resort(column, again ? !sorted.descending : !column.text && !column.ascending);
        });
        return { column, head };
    });
    document.querySelector("#list thead tr").append(...heads.map(({ head }) => head));
    for (const [at, { name }] of columns.entries()) {
        for (const descending of [false, true]) {
            $("sort").append(element("option", { value: `${at} ${descending}` }, `${name} ${descending ? "↓" : "↑"}`));
        }
    }
    $("sort").addEventListener("change", ({ target }) => {
        const [at, descending] = target.value.split(" ");
        resort(columns[at], descending === "true");
    });
    $("size").addEventListener("change", draw);

    // Copies or saves all pages of the filtered list.
    const done = (button, word) => {
        const name = button.textContent;
        button.textContent = word;
        setTimeout(() => (button.textContent = name), 1500);
    };
    $("copy").addEventListener("click", async ({ currentTarget: button }) => {
        const text = shown.map((link) => `${links[link][URL]}\n`).join("");
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            // Some browsers have no clipboard for pages from files.
            const area = element("textarea", { value: text });
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
        }
        done(button, "Copied");
    });
    // Returns a cell of RFC 4180. The apostrophe prevents that a spreadsheet runs it as a formula.
    const cell = (value) => {
        const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "");
        return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const table = () => {
        const head = ["url", "places", "messages", "first", "last", "scheme", "host", "standard", "findings", "checked", "file", "line"];
        const rows = shown.map((link) => {
            const row = links[link];
            const found = row[RULES].map((rule) => rules[rule][0]).join(" ");
            const spot = row[SPOT];
            return [row[URL], row[COUNT], row[MESSAGES], day(row[FIRST]), day(row[LAST]), row[SCHEME], row[HOST],
                standards.get(levels[row[LEVEL]]), found, row[STATUS]?.[1], spot[FILE], spot[LINE]];
        });
        return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
    };
    $("csv").addEventListener("click", ({ currentTarget: button }) => {
        const href = window.URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
        element("a", { href, download: "links.csv" }).click();
        setTimeout(() => window.URL.revokeObjectURL(href), 10000);
        done(button, "Saved");
    });
    const turn = (id, where) =>
        $(id).addEventListener("click", () => {
            const size = Number($("size").value);
            start = where(size, Math.max(0, Math.ceil(shown.length / size) - 1) * size);
            draw();
        });
    turn("first", () => 0);
    turn("previous", (size) => Math.max(0, start - size));
    turn("next", (size, last) => Math.min(start + size, last));
    turn("last", (_, last) => last);

    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    // The browser empties the controls only after the event.
    form.addEventListener("reset", () => setTimeout(filter));

    for (const button of document.querySelectorAll(".pick")) {
        button.disabled = false;
        button.addEventListener("click", () => {
            const { key, value } = button.dataset;
            form.reset();
            for (const name of key === "year" ? ["from", "to"] : [key]) form.elements[name].value = value;
            filter();
            $("links-title").focus({ preventScroll: true });
            $("links").scrollIntoView();
        });
    }

    // Switches between light and dark until the page is closed.
    const root = document.documentElement;
    const theme = $("theme");
    const dark = () =>
        root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const name = () => (theme.textContent = dark() ? "Light theme" : "Dark theme");
    theme.addEventListener("click", () => {
        root.dataset.theme = dark() ? "light" : "dark";
        name();
    });
    name();
    theme.hidden = false;

    root.classList.add("js");
    $("browser").hidden = false;
    const view = () => {
        const isAsked = restore();
        sort();
        filter();
        if (isAsked) $("links").scrollIntoView({ behavior: "instant" });
    };
    addEventListener("hashchange", () => location.hash.includes("=") && view());
    view();
})();
