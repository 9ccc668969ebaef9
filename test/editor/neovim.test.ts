/**
 * A real editor with `provest lsp`: Neovim without a screen, which speaks the protocol by a client of its own. Without
 * Neovim the tests are skipped, loudly. What the server answers in detail is tried in server.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isLong } from '../long';
import { Project, root } from '../ux/project';

const found = spawnSync('nvim', ['--version'], { encoding: 'utf8' }).status === 0;
if (!found)
  console.warn(
    '!! WARNING: nvim is not installed, so no real editor is tried with the language server (apt-get install neovim)',
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
  cmd = { ${JSON.stringify(process.execPath)}, ${JSON.stringify(join(root, 'dist', 'src', 'cli', 'main.js'))}, 'lsp',
        '--stdio' },
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

(found ? test : test.skip)('in Neovim, errors in the C come and go while one types', () => {
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

(found && isLong ? test : test.skip)(
  'in Neovim, a file that is opened is proved, and a lens writes the failing test',
  () => {
    const project = new Project({ 'stack.c': buggy });
    try {
      expect(
        inNeovim(
          project,
          { budget: '300s' },
          `await(function() return #vim.diagnostic.get(0) > 0 end)
local lens = ask('textDocument/codeLens', {})[1].command
ask('workspace/executeCommand', lens)
local written
await(function()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if name:match('test%.js$') then written = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n') end
  end
  return written ~= nil
end)
answer({ messages = messages(), title = lens.title, written = written })`,
        ),
      ).toEqual({
        messages: ['6: index -1 is outside elems[8]\nThese calls make it fail: pop();'],
        title: 'bug: write the failing test',
        written: expect.stringMatching(/loadC\('\.\/stack\.c'\)[^]*test\('pop does not fail[^]*\.pop\(\);/) as string,
      });
    } finally {
      project.remove();
    }
  },
);
