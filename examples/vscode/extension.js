// Starts `rehref lsp` for the folder that is open, and shows what it finds. Everything else is in the server.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = vscode.workspace.getConfiguration("rehref").get("command");
  const languages = ["html", "css", "xml", "svg", "markdown", "json"];
  const documentSelector = languages.map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("rehref", "rehref", { command, args }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
