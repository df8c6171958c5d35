/** A stdio MCP server with a hundred tools of one trade: `node catalogue.ts hosting|office|shop`. */
import { isSpecType, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

const verbs: Record<string, string> = {
  create: 'Creates a new',
  get: 'Returns one',
  list: 'Lists every',
  update: 'Changes an existing',
  delete: 'Deletes a',
  search: 'Searches by text for a',
  archive: 'Archives a',
  export: 'Writes to a CSV file each',
  watch: 'Tells about every change of a',
  count: 'Counts each',
};

/** Nouns of a trade, and what belongs to them. */
const trades: Record<string, Record<string, string>> = {
  hosting: {
    repository: 'with its branches and settings',
    issue: 'in the tracker of a repository',
    pull_request: 'with its commits, reviews and checks',
    commit: 'with author, message and diff',
    release: 'with notes and downloadable assets',
    workflow_run: 'of the continuous integration',
    user: 'with profile and public keys',
    team: 'of an organization',
    webhook: 'that is called on pushes',
    gist: 'of one or more snippets',
  },
  office: {
    calendar_event: 'with attendees, start and end',
    mail_message: 'with subject, recipients and attachments',
    chat_message: 'in a channel or a thread',
    document: 'of text with comments',
    spreadsheet_row: 'of cells in a sheet',
    contact: 'with phone number and address',
    task: 'with due date and assignee',
    meeting_room: 'with its equipment',
    reminder: 'at a time',
    folder: 'of files in the drive',
  },
  shop: {
    product: 'with price, stock and images',
    customer: 'with billing and shipping address',
    order: 'with its line items',
    refund: 'of money for a paid order',
    invoice: 'as PDF with taxes',
    coupon: 'for a discount at the checkout',
    shipment: 'with carrier and tracking number',
    subscription: 'that is billed each month',
    supplier: 'who delivers goods to the warehouse',
    review: 'by a buyer, with stars',
  },
};

const nouns = trades[process.argv[2] ?? ''] ?? {};

const tools = Object.entries(nouns).flatMap(([noun, about]) =>
  Object.entries(verbs).map(([verb, does]) => ({
    name: `${verb}_${noun}`,
    description: `${does} ${noun.replaceAll('_', ' ')} ${about}. The account must have been given access to it before.`,
    inputSchema: {
      type: 'object',
      properties: {
        [`${noun}_id`]: { type: 'string', description: `Which ${noun}` },
        fields: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        dry_run: { type: 'boolean', description: 'Only say what would be done' },
      },
      required: verb === 'list' || verb === 'count' ? [] : [`${noun}_id`],
    },
  })),
);

serveStdio(
  () => {
    const server = new Server({ name: 'catalogue', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => {
      const listed = { tools };
      if (!isSpecType.ListToolsResult(listed)) throw new TypeError('this is no list of tools');
      return listed;
    });
    server.setRequestHandler('tools/call', ({ params }) => ({
      content: [{ type: 'text', text: `called ${params.name}` }],
    }));
    return server;
  },
  { transport: new StdioServerTransport() },
);
