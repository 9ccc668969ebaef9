/**
 * Names of headers that systems have beside C's own: those of POSIX.1-2017, and of Linux those that are often met. Such
 * a name is no misspelling of another one.
 */
const posix =
  'aio.h arpa/inet.h cpio.h dirent.h dlfcn.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h ' +
  'monetary.h mqueue.h ndbm.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h poll.h pthread.h pwd.h ' +
  'regex.h sched.h search.h semaphore.h spawn.h strings.h stropts.h sys/ipc.h sys/mman.h sys/msg.h ' +
  'sys/resource.h sys/select.h sys/sem.h sys/shm.h sys/socket.h sys/stat.h sys/statvfs.h sys/time.h sys/times.h ' +
  'sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h tar.h termios.h trace.h ulimit.h unistd.h ' +
  'utime.h utmpx.h wordexp.h';
const further =
  'argp.h crypt.h elf.h error.h execinfo.h features.h ifaddrs.h link.h mntent.h net/ethernet.h netinet/ip.h ' +
  'netinet/ip_icmp.h netinet/udp.h netpacket/packet.h paths.h pty.h sys/epoll.h sys/eventfd.h sys/file.h ' +
  'sys/inotify.h sys/mount.h sys/poll.h sys/prctl.h sys/ptrace.h sys/queue.h sys/random.h sys/sendfile.h ' +
  'sys/signalfd.h sys/statfs.h sys/syscall.h sys/sysinfo.h sys/sysmacros.h sys/timerfd.h sys/user.h sys/vfs.h ' +
  'threads.h ucontext.h';

const names: ReadonlySet<string> = new Set(`${posix} ${further}`.split(' '));

export const isSystemHeader = (name: string): boolean => names.has(name) || /^(?:linux|asm|asm-generic)\//.test(name);
