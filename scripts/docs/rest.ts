import { groups } from '../../src/server/rest/operations.ts';
import { type OwnRoute, ownRoutes } from '../../src/server/rest/own-routes.ts';
import type { Route } from '../../src/server/tool.ts';
import { refusedFor } from './errors.ts';
import { code, page, sentence, table } from './markdown.ts';
import { inputTable, outputTable } from './schema.ts';
import { wholeTable } from './settings.ts';

const intro = `# REST

Bodies and answers are JSON. Parameters in braces are part of the path; the others are in the body of a POST or PUT, and in the
query of a GET or DELETE. A refusal is \`{"error": {"code", "message"}}\` with the status of its [code](errors.md). With
\`--auth-token\` every request needs \`Authorization: Bearer <token>\`.

A running server tells the same at \`/docs\` for people, and at \`/api/openapi.json\` for programs. \`/mcp\` (Streamable HTTP) and
\`/sse\` (with \`--sse-port\`) speak MCP: see [tools](tools.md).`;

type AnyRoute = Route | OwnRoute;

export function restPage(): string {
  const routes: AnyRoute[] = [...wholeTable().routes, ...ownRoutes({ stateless: false })];
  const parts = groups.flatMap(([name, description]) => {
    const own = routes.filter(({ group }) => group === name);
    return [`## ${name}`, description, summary(own), ...own.map(describe)];
  });
  return page(intro, ...parts);
}

function summary(routes: readonly AnyRoute[]): string {
  return table(
    ['route', 'in short'],
    routes.map(({ method, path, summary }) => [code(`${method} ${path}`), summary]),
  );
}

function describe(route: AnyRoute): string {
  const { method, path, summary, description, input } = route;
  const inTable = 'call' in route;
  const codes = refusedFor([route], inTable);
  return page(
    `### ${method} ${path}`,
    sentence(description ?? summary),
    inputTable(input),
    ...(inTable ? ['Answers:', outputTable(route.output)] : [`Answers with ${code(route.mediaType)}.`]),
    inTable && route.statuses.length > 1 ? `Statuses of the answer: ${route.statuses.join(', ')}.` : '',
    codes,
  );
}
