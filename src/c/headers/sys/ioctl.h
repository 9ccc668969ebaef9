#ifndef PROVEST_SYS_IOCTL_H
#define PROVEST_SYS_IOCTL_H
struct winsize { unsigned short ws_row; unsigned short ws_col; unsigned short ws_xpixel; unsigned short ws_ypixel; };
#define TIOCGWINSZ 0x5413
int ioctl(int file, unsigned long request, ...);
#endif
