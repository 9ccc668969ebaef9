/** POSIX's constants, layouts and exact functions are those of the machine's C library. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledHeader } from '../../src/c/bundled';
import { compileAndRun, testWithCompiler } from '../c/compiler';
import { onMachine } from './machineAndGcc';

jest.setTimeout(60_000);

const isLinux64 = process.platform === 'linux' && process.arch === 'x64';
const testOnLinux = isLinux64 ? testWithCompiler : test.skip;

function sameAsNative(text: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'provest-posix-'));
  try {
    const path = join(folder, 'program.c');
    writeFileSync(path, text);
    const { output, end } = onMachine(path);
    expect(`${output}${end}`).toBe(`${compileAndRun({ 'program.c': `#define _GNU_SOURCE\n${text}` }).output}exit 0`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const header of [
  'arpa/inet.h',
  'dirent.h',
  'fcntl.h',
  'netinet/in.h',
  'netinet/tcp.h',
  'poll.h',
  'pthread.h',
  'sys/mman.h',
  'sys/select.h',
  'sys/socket.h',
  'sys/stat.h',
  'sys/uio.h',
  'sys/wait.h',
  'syslog.h',
  'termios.h',
  'time.h',
  'unistd.h',
])
  testOnLinux(`the constants of ${header}`, () => {
    const names = [...bundledHeader(header)!.matchAll(/^#define ([A-Z]\w*) (?!\{)(?!.*\)-1\))\S/gm)]
      .map(([, name]) => name!)
      .filter((name) => !/^(?:PTHREAD_\w*INITIALIZER|SIG_\w+|CLOCKS_PER_SEC)$/.test(name));
    const lines = names.map((name) => `printf("${name} %lld\\n", (long long)(${name}));`);
    sameAsNative(`#include <stdio.h>\n#include <${header}>\nint main(void) {\n${lines.join('\n')}\nreturn 0; }`);
  });

testOnLinux('the layouts of structures', () => {
  const members: Readonly<Record<string, readonly string[]>> = {
    'struct stat': ['st_dev', 'st_ino', 'st_nlink', 'st_mode', 'st_uid', 'st_gid', 'st_size', 'st_atime', 'st_ctime'],
    'struct sockaddr': ['sa_family', 'sa_data'],
    'struct sockaddr_storage': ['ss_family'],
    'struct sockaddr_in': ['sin_family', 'sin_port', 'sin_addr', 'sin_zero'],
    'struct sockaddr_in6': ['sin6_family', 'sin6_port', 'sin6_flowinfo', 'sin6_addr', 'sin6_scope_id'],
    'struct sockaddr_un': ['sun_family', 'sun_path'],
    'struct msghdr': ['msg_name', 'msg_iov', 'msg_control', 'msg_flags'],
    'struct pollfd': ['fd', 'events', 'revents'],
    'struct dirent': ['d_ino', 'd_off', 'd_reclen', 'd_type', 'd_name'],
    'struct iovec': ['iov_base', 'iov_len'],
    'struct flock': ['l_type', 'l_whence', 'l_start', 'l_len', 'l_pid'],
    'struct linger': ['l_onoff', 'l_linger'],
    'struct termios': ['c_iflag', 'c_line', 'c_cc', 'c_ispeed', 'c_ospeed'],
    fd_set: [],
    pthread_mutex_t: [],
    pthread_mutexattr_t: [],
    pthread_cond_t: [],
    pthread_rwlock_t: [],
    pthread_attr_t: [],
    pthread_once_t: [],
  };
  const lines = Object.entries(members).map(([type, names]) => {
    const values = [`sizeof(${type})`, ...names.map((name) => `offsetof(${type}, ${name})`)];
    return `printf("${type}${' %d'.repeat(values.length)}\\n"${values.map((value) => `, (int)${value}`).join('')});`;
  });
  const headers =
    'dirent fcntl netinet/in poll pthread stddef stdio sys/select sys/socket sys/stat sys/uio sys/un termios';
  sameAsNative(`
    ${headers
      .split(' ')
      .map((name) => `#include <${name}.h>`)
      .join('\n')}
    int main(void) { ${lines.join('\n')} return 0; }`);
});

testOnLinux('texts of addresses', () => {
  const texts = [
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.04',
    '0x7f.1',
    '017.0.0.1',
    '1.2.3.4 ',
    '1.2.3.4x',
    '',
    '.',
    '1..2.3',
    '1234',
    '4294967295',
    '4294967296',
    '1.16777215',
    '1.16777216',
    '1.2.65536',
    '0.0.0.1000',
  ];
  const lines = texts.map((text) => `show("${text}");`);
  sameAsNative(`
    #include <arpa/inet.h>
    #include <stdio.h>
    static void show(const char *text) {
      struct in_addr a = { 7 }, b = { 7 };
      char out[INET_ADDRSTRLEN];
      printf("%s: %d", text, inet_pton(AF_INET, text, &a));
      printf(" %x %d", a.s_addr, inet_aton(text, &b));
      printf(" %x %x", b.s_addr, inet_addr(text));
      printf(" %s", inet_ntop(AF_INET, &b, out, sizeof out));
      printf(" %s %d\\n", inet_ntoa(a), inet_ntop(AF_INET, &b, out, 7) == NULL);
    }
    int main(void) { ${lines.join('\n')} return 0; }`);
});

testOnLinux('sets of files, ends of processes and raw terminals', () => {
  sameAsNative(`
    #include <stdio.h>
    #include <string.h>
    #include <sys/select.h>
    #include <sys/wait.h>
    #include <termios.h>
    int main(void) {
      fd_set s, t;
      FD_ZERO(&s);
      FD_SET(0, &s); FD_SET(63, &s); FD_SET(64, &s); FD_SET(1023, &s); FD_CLR(63, &s);
      t = s;
      for (int i = 0; i < 1024; i++) if (FD_ISSET(i, &t)) printf("%d ", i);
      for (int i = 0; i < 0x10000; i += 997)
        if (WIFEXITED(i)) printf("e%d ", WEXITSTATUS(i));
        else if (WIFSIGNALED(i)) printf("s%d%d ", WTERMSIG(i), WCOREDUMP(i) != 0);
        else if (WIFSTOPPED(i)) printf("t%d ", WSTOPSIG(i));
      struct termios v;
      memset(&v, 0xff, sizeof v);
      cfmakeraw(&v);
      printf(" %x %x %x %x %d %d\\n", v.c_iflag, v.c_oflag, v.c_lflag, v.c_cflag, v.c_cc[VMIN], v.c_cc[VTIME]);
      static const speed_t speeds[] = { B115200, B9600, 77, B0, B921600 };
      for (unsigned i = 0; i < 25; i++) {
        int in = cfsetispeed(&v, speeds[i / 5]);
        int out = cfsetospeed(&v, speeds[i % 5]);
        printf("%d %d %x %x %x %x\\n", in, out, cfgetispeed(&v), cfgetospeed(&v), v.c_iflag, v.c_cflag);
      }
      return 0;
    }`);
});
