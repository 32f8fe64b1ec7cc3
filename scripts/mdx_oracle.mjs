// What @mdx-js/mdx finds in files, whose names come on standard input: a line of JSON for each, with `links` (the line
// and the destination of each link, image, definition and known attribute of an element) and `headings` (line, level,
// text), or with `error`.
//
// 1. As in rehref, a definition counts once, and the text of a heading has neither expressions nor footnotes; a line
//    break in it is a space.
// 2. Values of attributes are strings, also those that are all of an expression. A component has none.

import {readFileSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {createProcessor} from '@mdx-js/mdx'
import {toString} from 'mdast-util-to-string'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import {visit} from 'unist-util-visit'

const processor = createProcessor({format: 'mdx', remarkPlugins: [remarkFrontmatter, remarkGfm]})
const LINKING = new Set(['href', 'src', 'srcset', 'poster', 'cite', 'data', 'action', 'formaction', 'xlinkhref'])

function stringOf(attribute) {
  if (typeof attribute.value === 'string') return attribute.value
  const body = attribute.value?.data?.estree?.body
  const expression = body?.length === 1 && body[0].type === 'ExpressionStatement' ? body[0].expression : undefined
  if (expression?.type === 'Literal' && typeof expression.value === 'string') return expression.value
  return expression?.type === 'TemplateLiteral' && expression.expressions.length === 0
    ? expression.quasis[0].value.cooked
    : undefined
}

function textOf(heading) {
  const copy = structuredClone(heading)
  visit(copy, ['mdxTextExpression', 'footnoteReference'], (node) => { node.value = '' })
  visit(copy, 'break', (node) => { node.value = ' ' })
  return toString(copy, {includeImageAlt: false}).trim()
}

function found(tree) {
  const links = [], headings = [], defined = new Set()
  visit(tree, (node) => {
    const line = node.position?.start.line
    const isFirst = node.type === 'definition' && !defined.has(node.identifier)
    if (isFirst) defined.add(node.identifier)
    if (isFirst || node.type === 'link' || node.type === 'image') links.push([line, node.url])
    if (node.type === 'heading') headings.push([line, node.depth, textOf(node)])
    if (!node.type.startsWith('mdxJsx') || !/^[a-z][^.]*$/.test(node.name ?? '')) return
    for (const attribute of node.attributes) {
      const isLinking = attribute.type === 'mdxJsxAttribute' && LINKING.has(attribute.name.toLowerCase())
      const value = isLinking ? stringOf(attribute) : undefined
      if (value !== undefined) links.push([line, value])
    }
  })
  return {links, headings}
}

for await (const file of createInterface({input: process.stdin})) {
  let result
  try {
    result = found(processor.parse(readFileSync(file)))
  } catch (error) {
    result = {error: `${error.line ?? error.place?.line ?? '?'}: ${error.reason ?? error.message}`}
  }
  console.log(JSON.stringify({file, ...result}))
}
