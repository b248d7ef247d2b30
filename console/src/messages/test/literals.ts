import ts from 'typescript'

/** A text in the code that people see on the screen, and where it is. */
export interface Literal {
  line: number
  text: string
}

/** Attributes and properties whose texts are shown or read out. */
const SHOWN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'button',
  'caption',
  'consequence',
  'description',
  'explanation',
  'header',
  'heading',
  'help',
  'hint',
  'label',
  'none',
  'noOptions',
  'noun',
  'placeholder',
  'summary',
  'tip',
  'title',
])

/** The same, for names such as `submitLabel` and `disabledReason`. */
const SHOWN_ENDING =
  /(?:Description|Heading|Help|Hint|Label|Placeholder|Question|Reason|Text|Title)$/

/** Attributes, properties and variables whose texts are never shown. */
const HIDDEN =
  /^(?:authorization|class|d|fontFamily|href|key|keys|parts|placement|preserveAspectRatio|trigger|viewBox)$|(?:[cC]lass(?:Name|es)?|CLASS)$|^data-/

/** Functions whose arguments are never shown. */
const HIDDEN_CALL =
  /^(?:cn|console\.\w+|createContext|expect)$|\.(?:closest|matches|querySelector|querySelectorAll)$/

/** Elements whose content is code or a key on the keyboard. */
const CODE_ELEMENT = /^(?:code|kbd|pre|Keyboard)$/

/** Begins as a sentence or a label does: `Disk`, `No disks`, `IP address`. Not `ObjectNotFound`, `GET` or `B`. */
const BEGINS_LIKE_TEXT = /^\s*(?:\p{Lu}\p{Ll}+(?=[\s.,:;…]|$)|\p{Lu}[\p{L}’']*\s+\p{L})/u

/** Two plain words one after the other. Lists of classes have hyphens. */
const HAS_WORDS = /(?:^|\s)\p{L}[\p{L}’']*[,;:]?\s+\p{L}[\p{L}’']*(?=[\s.,:;!?)…]|$)/u

const LETTER = /\p{L}/u

/** A path, an address or the end of an id: `/login/`, `https://example.com`, `0-label`. */
const NAME_OR_PATH = /^0?[/.-][^\s]*$|^https?:\/\//

/** Reads a module. */
export const parse = (fileName: string, source: string): ts.SourceFile =>
  ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true)

/** The texts in a module that people see. Names of things, values of the API and code samples are not among them. */
export function literals(file: ts.SourceFile): Literal[] {
  const found: Literal[] = []
  const visit = (node: ts.Node): void => {
    const text = shownText(node)
    if (text !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push({ line: line + 1, text: text.replace(/\s+/g, ' ').trim() })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function shownText(node: ts.Node): string | undefined {
  const text = textOf(node)
  if (text === undefined || !LETTER.test(text) || NAME_OR_PATH.test(text.trim())) return undefined
  if (isIgnored(node) || isCode(node)) return undefined
  if (ts.isJsxText(node)) return text
  const owner = ownerOf(node)
  if (owner !== undefined && HIDDEN.test(owner)) return undefined
  const isShown = owner !== undefined && (SHOWN.has(owner) || SHOWN_ENDING.test(owner))
  return isShown || BEGINS_LIKE_TEXT.test(text) || HAS_WORDS.test(text) ? text : undefined
}

/** The text of a literal; a parameter of a template counts as a number. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isJsxText(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `0${literal.text}`).join('')
}

/** Whether a literal is compared, imported, a type, a key that is looked up, or given to a function that does not show it. */
function isIgnored(node: ts.Node): boolean {
  const { parent } = node
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isBinaryExpression(parent) && /^(?:[=!]==?|in)$/.test(parent.operatorToken.getText()))
  ) {
    return true
  }
  for (let above: ts.Node = parent; !ts.isSourceFile(above); above = above.parent) {
    if (ts.isCallExpression(above) && HIDDEN_CALL.test(above.expression.getText())) return true
    // Errors that only developers see begin with a small letter.
    if (ts.isNewExpression(above)) return !/^\p{Lu}/u.test(textOf(node) ?? '')
    if (ts.isFunctionLike(above) || ts.isJsxElement(above)) return false
  }
  return false
}

function isCode(node: ts.Node): boolean {
  const { parent } = node
  const element = ts.isJsxExpression(parent) ? parent.parent : parent
  return ts.isJsxElement(element) && CODE_ELEMENT.test(element.openingElement.tagName.getText())
}

/** The name of the attribute, property, parameter or variable that has the literal as a value, at once or as one of several. */
function ownerOf(node: ts.Node): string | undefined {
  const { parent } = node
  if (ts.isJsxAttribute(parent) || ts.isVariableDeclaration(parent)) return nameText(parent.name)
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) {
    return parent.initializer === node ? nameText(parent.name) : undefined
  }
  const isPassedOn =
    ts.isJsxExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isBinaryExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isArrowFunction(parent) && parent.body === node)
  return isPassedOn ? ownerOf(parent) : undefined
}

const nameText = (name: ts.Node): string => (ts.isStringLiteral(name) ? name.text : name.getText())

/** What a module takes from each catalogue: the exports that it reads, by the catalogue's name. */
export function usedMessages(file: ts.SourceFile): Map<string, Set<string>> {
  const catalogueOf = new Map<string, string>()
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue
    const [, catalogue] = /^~\/messages\/(.+)$/.exec(nameText(statement.moduleSpecifier)) ?? []
    const bindings = statement.importClause?.namedBindings
    if (catalogue === undefined || bindings === undefined) continue
    if (!ts.isNamespaceImport(bindings)) {
      throw new Error(`${file.fileName}: import all of ~/messages/${catalogue}, as a namespace`)
    }
    catalogueOf.set(bindings.name.text, catalogue)
  }
  const used = new Map<string, Set<string>>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const catalogue = catalogueOf.get(node.expression.text)
      if (catalogue !== undefined) {
        used.set(catalogue, (used.get(catalogue) ?? new Set()).add(node.name.text))
      }
    }
    ts.forEachChild(node, visit)
  }
  if (catalogueOf.size > 0) visit(file)
  return used
}
