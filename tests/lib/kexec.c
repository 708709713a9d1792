// SPDX-License-Identifier: GPL-2.0-only
/*
 * kexec KERNEL INITRD COMMAND-LINE: start that kernel at once, whatever is going on; the drivers are told to shut
 * down, and nobody else is told anything.  A program of kexec-tools would do; that package changes how the machine
 * that it is installed on reboots.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fprintf(stderr, "usage: kexec KERNEL INITRD COMMAND-LINE\n");
		return 2;
	}
	kernel = open(argv[1], O_RDONLY);
	initrd = open(argv[2], O_RDONLY);
	if (kernel < 0 || initrd < 0) {
		perror(kernel < 0 ? argv[1] : argv[2]);
		return 1;
	}
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1, argv[3], 0UL)) {
		perror("kexec_file_load");
		return 1;
	}
	reboot(RB_KEXEC);
	perror("reboot");
	return 1;
}
