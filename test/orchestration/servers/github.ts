/** The server that the document's examples call: two users, and a tool that only answers. */
import { isSpecType, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const users = new Map([
  ['octocat', { name: 'The Octocat', public_repos: 8 }],
  ['torvalds', { name: 'Linus Torvalds', public_repos: 11 }],
]);

const listed = {
  tools: [
    {
      name: 'get_user',
      description: 'Get a user.',
      inputSchema: { type: 'object', properties: { username: { type: 'string' } }, required: ['username'] },
    },
    { name: 'ping', description: 'Answers.', inputSchema: { type: 'object' } },
  ],
};
if (!isSpecType.ListToolsResult(listed)) throw new TypeError('this is no list of tools');

const server = new Server({ name: 'github', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => listed);
server.setRequestHandler('tools/call', ({ params }) => {
  if (params.name === 'ping') return { content: [{ type: 'text', text: 'pong' }] };
  const username = String(params.arguments?.username);
  const user = users.get(username);
  if (!user) return { content: [{ type: 'text', text: `no user ${username}` }], isError: true };
  return { content: [{ type: 'text', text: JSON.stringify(user) }], structuredContent: user };
});
await server.connect(new StdioServerTransport());
