import { cliPage } from './cli.ts';
import { configurationPage } from './configuration.ts';
import { errorsPage } from './errors.ts';
import { limitsPage } from './limits.ts';
import { restPage } from './rest.ts';
import { toolsPage } from './tools.ts';

/** The pages of docs/reference/, by their paths. The same on every machine. */
export function referencePages(): Map<string, string> {
  const pages = {
    tools: toolsPage(),
    rest: restPage(),
    configuration: configurationPage(),
    cli: cliPage(),
    errors: errorsPage(),
    limits: limitsPage(),
  };
  return new Map(Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, `${note}${text}`]));
}

const note = '<!-- Made by `npm run docs`. Do not edit. -->\n\n';
