#ifndef PROVEST_TERMIOS_H
#define PROVEST_TERMIOS_H
typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
#define NCCS 32
struct termios {
  tcflag_t c_iflag; tcflag_t c_oflag; tcflag_t c_cflag; tcflag_t c_lflag; cc_t c_line; cc_t c_cc[NCCS];
  speed_t c_ispeed; speed_t c_ospeed;
};
#define VTIME 5
#define VMIN 6
#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VKILL 3
#define VEOF 4
#define VSTART 8
#define VSTOP 9
#define VSUSP 10
#define VEOL 11
#define IGNBRK 0000001
#define IGNPAR 0000004
#define PARMRK 0000010
#define INLCR 0000100
#define IGNCR 0000200
#define IXANY 0004000
#define IXOFF 0010000
#define ONLCR 0000004
#define CS5 0000000
#define CS6 0000020
#define CS7 0000040
#define CSTOPB 0000100
#define CREAD 0000200
#define PARENB 0000400
#define PARODD 0001000
#define HUPCL 0002000
#define CLOCAL 0004000
#define CRTSCTS 020000000000
#define ECHOE 0000020
#define ECHOK 0000040
#define ECHONL 0000100
#define NOFLSH 0000200
#define TOSTOP 0000400
#define BRKINT 0000002
#define INPCK 0000020
#define ISTRIP 0000040
#define ICRNL 0000400
#define IXON 0002000
#define OPOST 0000001
#define CSIZE 0000060
#define CS8 0000060
#define ISIG 0000001
#define ICANON 0000002
#define ECHO 0000010
#define IEXTEN 0100000
#define B0 0000000
#define B50 0000001
#define B300 0000007
#define B600 0000010
#define B1200 0000011
#define B2400 0000013
#define B4800 0000014
#define B9600 0000015
#define B19200 0000016
#define B38400 0000017
#define B57600 0010001
#define B115200 0010002
#define B230400 0010003
#define B460800 0010004
#define B921600 0010007
#define TCIFLUSH 0
#define TCOFLUSH 1
#define TCIOFLUSH 2
#define TCOOFF 0
#define TCOON 1
#define TCIOFF 2
#define TCION 3
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
void cfmakeraw(struct termios *wanted);
speed_t cfgetispeed(const struct termios *of);
speed_t cfgetospeed(const struct termios *of);
int cfsetispeed(struct termios *wanted, speed_t speed);
int cfsetospeed(struct termios *wanted, speed_t speed);
int tcflush(int file, int which);
int tcdrain(int file);
int tcflow(int file, int what);
int tcsendbreak(int file, int duration);
int tcgetattr(int file, struct termios *result);
int tcsetattr(int file, int when, const struct termios *wanted);
#endif
