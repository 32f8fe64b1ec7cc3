// The findings, from the page's data: columns of numbers, most of which refer to texts.

const SEVERITIES = ["error", "warning", "info"];
const NOUNS = ["error", "warning", "note"];
const SEARCHED = ["document", "place", "message", "reference", "target", "suggestion", "before", "marked", "after"];
// The value that the findings of a group share, by view.
const VIEWS = {causes: "cause", pages: "document", targets: "goal", hosts: "host"};

function readRecords(data) {
  const {texts, columns, codes, causes, bases} = data;
  const lower = texts.map(text => text.toLowerCase());
  const lowerCodes = codes.map(code => code[0]);
  const text = (name, at) => {
    const index = columns[name][at];
    return index < 0 ? null : texts[index];
  };
  // Whether a path is that of a document; it may begin with the folder, as in other formats.
  const isAt = (document, path) => document.endsWith(path) || path.endsWith("/" + document);
  // A function that tests whether a word occurs in a finding.
  const having = word => {
    const hits = Uint8Array.from(lower, one => (one.includes(word) ? 1 : 0));
    const codeHits = lowerCodes.map(code => code.includes(word));
    const baseHits = bases.map(([uri, where]) => hits[uri] || hits[where]);
    const searched = SEARCHED.map(name => columns[name]);
    const severity = NOUNS.findIndex((noun, which) => [noun, noun + "s", SEVERITIES[which]].includes(word));
    const [, path, line, column] = /^(.+?):(\d+)(?::(\d+))?$/.exec(word) || [];
    return at => searched.some(of => of[at] >= 0 && hits[of[at]]) || codeHits[columns.code[at]] ||
      columns.severity[at] === severity ||
      (columns.base[at] >= 0 && baseHits[columns.base[at]]) ||
      (path !== undefined && columns.line[at] === Number(line) && isAt(lower[columns.document[at]], path) &&
        (column === undefined || columns.column[at] === Number(column)));
  };
  return {
    size: columns.code.length, text, having, columns, causes, bases, texts,
    code: at => codes[columns.code[at]],
    severity: at => columns.severity[at],
    position: at => {
      const line = columns.line[at], column = columns.column[at];
      return line ? (column ? line + ":" + column : String(line)) : "";
    },
  };
}
