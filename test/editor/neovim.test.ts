/**
 * A real editor with `provest lsp`: Neovim without a screen, which speaks the protocol by a client of its own. Without
 * Neovim the tests are skipped, loudly. What the server answers in detail is tried in server.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { commandFile } from '../ux/builtPackage';
import { Project } from '../ux/project';
import { besidePeer } from '../peer';

const found = spawnSync('nvim', ['--version'], { encoding: 'utf8' }).status === 0;
const besideNeovim = besidePeer(
  found,
  'nvim is not installed, so no real editor is tried with the language server (apt-get install neovim)',
);

const buggy = `static int elems[8];
static int size;

int pop(void) {
  size = size - 1;
  return elems[size];
}
`;

/** Runs Lua in Neovim, in a buffer with the C file and the server attached; answers what it hands to \`answer\`. */
function inNeovim(project: Project, options: object, script: string): unknown {
  project.write(
    'session.lua',
    `local function answer(value) vim.fn.writefile({ vim.fn.json_encode(value) }, 'answer.json') end
-- Until the server makes it true; a machine may be busy.
local function await(condition) assert(vim.wait(60000, condition, 20), 'the server does not answer') end
local function ask(method, params)
  params.textDocument = vim.lsp.util.make_text_document_params()
  for _, answer in pairs(assert(vim.lsp.buf_request_sync(0, method, params, 60000))) do return answer.result end
end
local client = vim.lsp.start_client({
  name = 'provest',
  cmd = { ${JSON.stringify(process.execPath)}, ${JSON.stringify(commandFile)}, 'lsp', '--stdio' },
  root_dir = vim.fn.getcwd(),
  init_options = vim.fn.json_decode([[${JSON.stringify(options)}]]),
})
vim.lsp.buf_attach_client(0, client)
local function messages()
  return vim.tbl_map(function(one) return (one.lnum + 1) .. ': ' .. one.message end, vim.diagnostic.get(0))
end
local ok, why = pcall(function()
${script}
end)
if not ok then answer({ failed = tostring(why) }) end
vim.lsp.stop_client(client)
vim.cmd('qall!')
`,
  );
  spawnSync('nvim', ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', 'stack.c', '-c', 'luafile session.lua'], {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], HOME: project.folder },
    timeout: 300_000,
  });
  return JSON.parse(project.read('answer.json')) as unknown;
}

besideNeovim.test('in Neovim, errors in the C come and go while one types', () => {
  const project = new Project({ 'stack.c': buggy.replace('size - 1;', 'sise - 1;') });
  try {
    expect(
      inNeovim(
        project,
        { onSave: false },
        `await(function() return #vim.diagnostic.get(0) > 0 end)
local before = messages()
vim.api.nvim_buf_set_lines(0, 4, 5, true, { '  size = size - 1;' })
await(function() return #vim.diagnostic.get(0) == 0 end)
answer({ before = before, lenses = #ask('textDocument/codeLens', {}) })`,
      ),
    ).toEqual({ before: [expect.stringMatching(/^5: .*'sise'/)], lenses: 1 });
  } finally {
    project.remove();
  }
});

besideNeovim.test(
  'in Neovim, an action writes the failing test, and what is mended and saved is proved',
  () => {
    const project = new Project({ 'stack.c': buggy });
    try {
      expect(
        inNeovim(
          project,
          { budget: '300s' },
          `await(function() return #vim.diagnostic.get(0) > 0 end)
local before = messages()
local lenses = vim.tbl_map(function(one) return one.command.title end, ask('textDocument/codeLens', {}))
local line = { line = 5, character = 0 }
local titles, action = {}, nil
for _, one in ipairs(ask('textDocument/codeAction', { range = { start = line, ['end'] = line },
    context = { diagnostics = {} } })) do
  table.insert(titles, one.title)
  if one.title == 'Write the failing test' then action = one.command end
end
ask('workspace/executeCommand', action)
local written
await(function()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if name:match('test%.js$') then written = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n') end
  end
  return written ~= nil
end)
local hovered = ask('textDocument/hover', { position = { line = 5, character = 10 } }).contents.value
vim.api.nvim_buf_set_lines(0, 4, 4, true, { '  if (size == 0) return 0;' })
await(function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd('write')
local proved
await(function()
  local now = ask('textDocument/codeLens', {})[1]
  proved = now and now.command.title
  return proved and proved:match('checks? proved') ~= nil
end)
answer({ before = before, lenses = lenses, titles = titles, written = written, hovered = hovered, proved = proved,
  invariant = ask('textDocument/hover', { position = { line = 3, character = 5 } }).contents.value })`,
        ),
      ).toEqual({
        before: ['6: index -1 is outside elems[8]\nThese calls make it fail: pop();'],
        lenses: ['1 of 2 checks proved, 1 fails', 'bug: write the failing test'],
        titles: expect.arrayContaining(['Write the failing test']) as string[],
        written: expect.stringMatching(/loadC\('\.\/stack\.c'\)[^]*test\('pop does not fail[^]*\.pop\(\);/) as string,
        hovered: expect.stringContaining('index -1 is outside elems[8]') as string,
        proved: expect.stringMatching(/^(\d) of \1 checks? proved$/) as string,
        invariant: expect.stringMatching(/Between calls of the module, proved:\n\n```c\n.*size/) as string,
      });
    } finally {
      project.remove();
    }
  },
  600_000,
);
