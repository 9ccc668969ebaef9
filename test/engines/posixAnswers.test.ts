/**
 * The answers of POSIX functions are inputs: what they give and write is any, within what they are documented to do.
 */
import { verify } from '../../src/index';
import type { LoadOptions } from '../../src/task';
import { file, task } from './task';
import { everyOther, inLongForm } from '../long';

jest.setTimeout(120_000);

const verdictOf = async (text: string, load: LoadOptions = {}) =>
  verify(
    task(file(text), {
      mode: 'program',
      entries: ['main'],
      properties: ['reach', 'memsafety'],
      load,
      budget: { milliseconds: 20_000 },
    }),
  );

test.each(
  everyOther([
    [
      'recv',
      '#include <sys/socket.h>\nint main(void) { char b[16]; ssize_t n = recv(3, b, SIZE, 0); ' +
        'if (n >= 0) b[n] = 0; return 0; }',
      ['sizeof b - 1', 'sizeof b'],
    ],
    [
      'a length in what was received',
      '#include <string.h>\n#include <sys/socket.h>\nint main(void) { unsigned char b[64], to[30]; ' +
        'ssize_t n = recvfrom(3, b, sizeof b, 0, 0, 0); if (n < 2 || b[1] > n - 2 || b[1] > SIZE) return 1; ' +
        'memcpy(to, b + 2, b[1]); return 0; }',
      ['sizeof to', '2 * sizeof to'],
    ],
    [
      'readlink',
      '#include <unistd.h>\nint main(void) { char b[8]; ssize_t n = readlink("x", b, SIZE); ' +
        'if (n < 0) return 1; b[n] = 0; return 0; }',
      ['sizeof b - 1', 'sizeof b'],
    ],
    [
      'poll',
      '#include <poll.h>\nvoid reach_error(void);\nint main(void) { struct pollfd p = { 3, POLLIN, 0 }; ' +
        'int n = poll(&p, 1, 9); ' +
        'if (n > 1 || p.fd != 3) reach_error(); if (p.revents & SIZE) reach_error(); return 0; }',
      ['POLLOUT', 'POLLIN'],
    ],
    [
      'the end of a process',
      '#include <sys/wait.h>\nint t[256];\nint main(void) { int s; if (waitpid(7, &s, 0) < 0) return 1; ' +
        'return t[WIFEXITED(s) ? WEXITSTATUS(s) SIZE : 0]; }',
      ['', '+ 1'],
    ],
    [
      'a set of files',
      '#include <sys/select.h>\nint main(void) { fd_set s; int f = 3 SIZE; FD_ZERO(&s); FD_SET(f, &s); ' +
        'return select(4, &s, 0, 0, 0) > 0 && FD_ISSET(f, &s); }',
      ['', '+ FD_SETSIZE'],
    ],
    [
      'an option',
      '#include <sys/socket.h>\nint main(void) { int v[2]; socklen_t n = SIZE; return getsockopt(3, 0, 0, v, &n); }',
      ['sizeof v', 'sizeof v + 1'],
    ],
    [
      'an address',
      '#include <arpa/inet.h>\nint main(void) { struct in_addr a; ' +
        'if (inet_pton(AF_INET, "10.0.0.SIZE", &a) != 1) return *(int *)0; return 0; }',
      ['1', '256'],
    ],
    [
      'a directory',
      '#include <dirent.h>\nint main(void) { DIR *d = opendir("."); if (!d) return 1; struct dirent *e = readdir(d); ' +
        'int c = e ? e->d_name[SIZE] : 0; closedir(d); return c; }',
      ['255', '256'],
    ],
    [
      'a lock',
      '#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int t[2];\n' +
        'int main(void) { int i = pthread_mutex_trylock(&m) == 0 ? SIZE : 0; t[i] = 1; ' +
        'return pthread_mutex_unlock(&m); }',
      ['1', '2'],
    ],
    [
      'the length of a message that is cut off',
      '#include <sys/socket.h>\nint main(void) { char b[16]; ssize_t n = recv(3, b, sizeof b, SIZE); ' +
        'return n > 0 ? b[n - 1] : 0; }',
      ['0', 'MSG_TRUNC'],
    ],
    [
      'the size of an option',
      '#include <sys/socket.h>\nvoid reach_error(void);\nint main(void) { char b[8]; socklen_t n = sizeof b; ' +
        'if (getsockopt(3, SOL_SOCKET, SO_ERROR, b, &n) == 0 && n != SIZE) reach_error(); return 0; }',
      ['4', '8'],
    ],
    [
      'the end of a directory',
      '#include <dirent.h>\n#include <errno.h>\nvoid reach_error(void);\nint main(void) { DIR *d = opendir("."); ' +
        'if (!d) return 1; errno = 0; if (SIZE readdir(d) && errno) reach_error(); closedir(d); return 0; }',
      ['', '!'],
    ],
    [
      'the two ends of a pipe',
      '#include <unistd.h>\nvoid reach_error(void);\nint main(void) { int p[2]; if (pipe(p) < 0) return 1; ' +
        'if (SIZE) reach_error(); return 0; }',
      ['p[0] == p[1]', 'p[1] != (p[0] | 1)'],
    ],
    [
      'how a process ended',
      '#include <sys/wait.h>\nvoid reach_error(void);\nint main(void) { int s; if (waitpid(7, &s,' +
        ' SIZE) < 0) return 1; ' +
        'if (!WIFEXITED(s) && !WIFSIGNALED(s)) reach_error(); return 0; }',
      ['0', 'WUNTRACED'],
    ],
    [
      'how many files are ready',
      '#include <poll.h>\nvoid reach_error(void);\nint main(void) { struct pollfd p = { 3, POLLIN, 0 }; ' +
        'if (poll(&p, 1, 9) SIZE 0 && p.revents == 0) reach_error(); return 0; }',
      ['>', '>='],
    ],
    [
      'a set of ready files',
      '#include <sys/select.h>\nvoid reach_error(void);\nint main(void) { fd_set s; struct timeval t = { 1, 0 }; ' +
        'FD_ZERO(&s); FD_SET(3, &s); ' +
        'if (select(4, &s, 0, 0, &t) SIZE 0 && FD_ISSET(3, &s)) reach_error(); return 0; }',
      ['==', '>'],
    ],
    ['a message', '#include <syslog.h>\nint main(void) { syslog(LOG_INFO, "%d", SIZE); return 0; }', ['1', '"text"']],
  ]),
)('%s: the right program is proved, the wrong one fails', async (_, text, [right, wrong]) => {
  expect((await verdictOf(text.replace('SIZE', right!))).kind).toBe('proved');
  expect((await verdictOf(text.replace('SIZE', wrong!))).kind).toBe('bug');
});

inLongForm('the nanoseconds of a file may be any', async () => {
  const text = (wrong: string) =>
    `#include <sys/stat.h>\nvoid reach_error(void);\nint main(void) { struct stat s; if (fstat(0, &s) < 0) return 1;
    long n = s.st_mtim.tv_nsec; if (${wrong}) reach_error(); return 0; }`;
  expect((await verdictOf(text('n < 0 || n >= 1000000000'))).kind).toBe('proved');
  expect((await verdictOf(text('n != 0'))).kind).not.toBe('proved');
});

test('that functions run one at a time is an assumption of programs with locks', async () => {
  const verdict = await verdictOf(
    '#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n' +
      'int main(void) { return pthread_mutex_lock(&m); }',
  );
  expect(JSON.stringify(verdict)).toContain('other threads change nothing');
});

test.each([
  ['pthread_create', 'threads and processes are not modelled', '#include <pthread.h>', 'pthread_create(0, 0, 0, 0)'],
  ['mmap', 'provest declares it and has no model of it', '#include <sys/mman.h>', 'mmap(0, 1, 0, 0, 0, 0) != 0'],
])('%s is refused with the reason', async (name, reason, include, call) => {
  await expect(verdictOf(`${include}\nint main(void) { return ${call}; }`, { externals: 'error' })).rejects.toThrow(
    `call of '${name}': ${reason}`,
  );
});

test('a declaration of the program is no function of POSIX', async () => {
  const text =
    'long send(int to, const void *b, unsigned long n, int f);\nint main(void) { return (int)send(0, 0, 0, 0); }';
  await expect(verdictOf(text, { externals: 'error' })).rejects.toThrow("function 'send' is called but not defined");
});
