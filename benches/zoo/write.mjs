// Runs one library of Node.js: write.mjs NAME WIDTH, with the sentences on standard input. It reads the packages of
// the current folder.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [name, columns] = process.argv.slice(2);
const width = Number(columns);
const text = readFileSync(0, 'utf8');
const paragraphs = text.trim().split('\n\n');
const rows = paragraphs.map((part, at) => [`note ${at + 1}`, part]);
const records = rows.map(([row, note]) => ({ name: row, note }));
const room = width - 16;
const require = createRequire(`${process.cwd()}/`);
const load = async (wanted) => {
  const module = await import(pathToFileURL(require.resolve(wanted)));
  return module.default ?? module;
};

const writers = {
  'wrap-ansi': async () => (await load('wrap-ansi'))(text, width, { hard: true }),
  'word-wrap': async () => (await load('word-wrap'))(text, { width, indent: '  ', cut: true }),
  wordwrapjs: async () => (await load('wordwrapjs')).wrap(text, { width, break: true }),
  smartwrap: async () => {
    const smartwrap = await load('smartwrap');
    return paragraphs.map((part) => smartwrap(part, { width, breakword: true })).join('\n\n');
  },
  cliui: async () => {
    const ui = (await load('cliui'))({ width });
    rows.forEach(([row, note]) => ui.div({ text: row, width: 12 }, { text: note, width: width - 12 }));
    return ui.toString();
  },
  boxen: async () => (await load('boxen'))(text, { width, padding: 1 }),
  'cli-table3': async () => {
    const Table = await load('cli-table3');
    const table = new Table({ head: ['name', 'note'], colWidths: [10, width - 13], wordWrap: true, style: { head: [], border: [] } });
    table.push(...rows);
    return table.toString();
  },
  table: async () => {
    const { table } = await load('table');
    return table(rows, { columns: [{ width: 8 }, { width: room }] });
  },
  columnify: async () => (await load('columnify'))(records, { config: { note: { maxWidth: room } } }),
  'html-to-text': async () => {
    const { convert } = await load('html-to-text');
    return convert(text, { wordwrap: width, longWordSplit: { wrapCharacters: ['/', '-'], forceWrapOnLimit: true } });
  },
  turndown: async () => new (await load('turndown'))().turndown(text),
  'marked-terminal': async () => {
    const { marked } = await load('marked');
    const { markedTerminal } = await load('marked-terminal');
    marked.use(markedTerminal({ width, reflowText: true }));
    return marked.parse(text);
  },
  prettier: async () => (await load('prettier')).format(text, { parser: 'markdown', proseWrap: 'always', printWidth: width }),
  nodemailer: async () => {
    const MailComposer = await load('nodemailer/lib/mail-composer');
    const mail = new MailComposer({ subject: 'Notes', text, textEncoding: 'quoted-printable' });
    return (await mail.compile().build()).toString();
  },
  'js-yaml': async () => (await load('js-yaml')).dump(records, { lineWidth: width }),
  yaml: async () => (await load('yaml')).stringify(records, { lineWidth: width, defaultStringType: 'QUOTE_DOUBLE' }),
  'util.inspect': async () => (await import('node:util')).inspect(rows, { breakLength: width, maxStringLength: null }),
  xterm: async () => {
    const { Terminal } = await load('@xterm/headless');
    const terminal = new Terminal({ cols: width, rows: 300, convertEol: true, allowProposedApi: true });
    await new Promise((done) => terminal.write(text, done));
    const buffer = terminal.buffer.active;
    return Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at).translateToString(true)).join('\n').trimEnd();
  },
};

const written = await writers[name]();
process.stdout.write(written.endsWith('\n') ? written : `${written}\n`);
