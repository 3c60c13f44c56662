import ts from "typescript";

export interface Specifier {
  specifier: string;
  typeOnly: boolean;
}

/** Every module a source names: imports, re-exports, `import()`, `require()` and `import("…")` types. */
export function listSpecifiers(text: string): Specifier[] {
  const found: Specifier[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = findSpecifier(node);
    if (specifier !== undefined) found.push({ specifier, typeOnly: isTypeOnly(node) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest));
  return found;
}

function findSpecifier(node: ts.Node): string | undefined {
  const name = findModuleName(node);
  return name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined;
}

function findModuleName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return node.arguments[0];
  return undefined;
}

function loadsModule(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly ?? false;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportTypeNode(node);
}
