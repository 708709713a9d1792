// SPDX-License-Identifier: GPL-2.0-only
/*
 * init of a machine that measures: with a kernel image that has its driver built in, this and isp-io are all that the
 * guest needs. Nothing here asks for more than a kernel of the 2.4 line has, except where a line says so.
 *
 * In the root file system (an initramfs, or for kernels before 2.6 an ext2 image with root=/dev/ram0 init=/init):
 *
 *	/init		this
 *	/isp-io		isp-io
 *	/isp/modules	optional, from 2.6 on: modules to load in this order, a line each: FILE [PARAMETER]...
 *	/isp/commands	optional: what to run, a line each: arguments of isp-io
 *	/isp/...	whatever else the lines name; /dev, /proc, /sys and /tmp are made
 *
 * On the kernel's command line:
 *
 *	isp.io=A,B,C	what to run where there is no /isp/commands: arguments of isp-io with commas between
 *	isp.disks=N	how many disks have to be there (1)
 *	isp.wait=S	how many seconds to wait for them (30)
 *
 * Among isp-io's arguments @disk is the first disk, @disk0, @disk1, ... are all in the order of their numbers, @disks is
 * one --file for each of them. A disk is a whole one of the SCSI majors (8, 65 to 71, 128 to 135).
 *
 * What it says on the console, each on a line of its own, with \r before \n where it is a serial line:
 *
 *	@@isp-init kernel RELEASE
 *	@@isp-init disk NAME BYTES		one for each, in order
 *	@@isp-init begin N			before the N-th command, from 0
 *	(isp-io's JSON object, as it prints it)
 *	@@isp-init said TEXT			each line of isp-io's standard error
 *	@@isp-init end N STATUS			status: isp-io's, or 128 + the signal that killed it
 *	@@isp-init trouble TEXT			why it gives up: one line, the last but one
 *	@@isp-init off				always the last
 *
 * The kernel is told to keep off the console meanwhile. Then the machine is restarted, which works with every kernel,
 * power off does not: QEMU has to run with -no-reboot, and ends.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_DISKS	256
#define MAX_WORDS	(64 + 2 * MAX_DISKS)
#define LINE		4096

struct disk {
	unsigned int major, minor;
	char path[32];
	uint64_t bytes;
};

static struct disk disk[MAX_DISKS];
static unsigned int nr_disks;
static unsigned int commands;

/* A line of its own, with @what at its start. */
__attribute__((format(printf, 2, 3)))
static void tell(const char *what, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("\n@@isp-init %s ", what);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* The end, in every case. */
static _Noreturn void switch_off(void)
{
	printf("\n@@isp-init off\n");
	fflush(stdout);
	sync();
	if (getpid() == 1)
		reboot(RB_AUTOBOOT);
	exit(0);
}

static _Noreturn void give_up(const char *what, const char *why)
{
	tell("trouble", "%s: %s", what, why);
	switch_off();
}

/* What is there already, or cannot be had from this kernel, is no trouble. */
static void mount_at(const char *type, const char *place)
{
	mkdir(place, 0755);
	mount(type, place, type, 0, NULL);
}

/* An initramfs may have no console, and then nothing is open. */
static void open_console(void)
{
	int fd;

	mkdir("/dev", 0755);
	mknod("/dev/console", S_IFCHR | 0600, makedev(5, 1));
	mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
	fd = open("/dev/console", O_RDWR);
	if (fd < 0)
		return;
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
}

static void make_root(void)
{
	open_console();
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("devtmpfs", "/dev");
	mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
	mkdir("/tmp", 01777);
	/* Only what would end the machine may still be said by the kernel. */
	klogctl(8, NULL, 1);
}

/* The word NAME=... of the kernel's command line without its name, or NULL. */
static char *boot_word(const char *name)
{
	static char line[LINE];
	size_t length = strlen(name);
	FILE *in = fopen("/proc/cmdline", "r");

	if (!in)
		return NULL;
	line[0] = 0;
	if (!fgets(line, sizeof(line), in))
		line[0] = 0;
	fclose(in);
	for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
		if (!strncmp(word, name, length) && word[length] == '=')
			return word + length + 1;
	return NULL;
}

static unsigned int boot_number(const char *name, unsigned int usual)
{
	const char *word = boot_word(name);

	return word ? strtoul(word, NULL, 10) : usual;
}

/* A whole file; NULL where it is not there. */
static char *read_file(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	char *data;
	size_t got = 0;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	data = malloc(st.st_size + 1);
	while (data && got < (size_t)st.st_size) {
		ssize_t n = read(fd, data + got, st.st_size - got);

		if (n <= 0)
			break;
		got += n;
	}
	close(fd);
	if (data)
		data[got] = 0;
	*bytes = got;
	return data;
}

static void load_module(char *line)
{
	char *parameters = strchr(line, ' ');
	size_t bytes;
	void *image;

	if (parameters)
		*parameters++ = 0;
	image = read_file(line, &bytes);
	if (!image)
		give_up(line, strerror(errno));
	if (syscall(SYS_init_module, image, bytes, parameters ? parameters : "") < 0 && errno != EEXIST)
		give_up(line, strerror(errno));
	free(image);
}

/* Call @what for each line of a file that is not empty; false where there is no such file. */
static bool each_line(const char *path, void (*what)(char *line))
{
	char *end, *line;
	size_t bytes;
	char *text = read_file(path, &bytes);

	if (!text)
		return false;
	for (line = text; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = 0;
		if (*line)
			what(line);
	}
	free(text);
	return true;
}

static bool is_scsi_disk(unsigned int major, unsigned int minor)
{
	return (major == 8 || (major >= 65 && major <= 71) || (major >= 128 && major <= 135)) && minor % 16 == 0;
}

/* A disk of /proc/partitions, with a device node of this program's own: /dev may be empty. */
static void add_disk(unsigned int number, unsigned int minor, unsigned long long kib, const char *name)
{
	struct disk *d = &disk[nr_disks];

	if (nr_disks == MAX_DISKS)
		return;
	snprintf(d->path, sizeof(d->path), "/dev/%.20s", name);
	d->major = number;
	d->minor = minor;
	d->bytes = kib * 1024;
	if (mknod(d->path, S_IFBLK | 0600, makedev(number, minor)) < 0 && errno != EEXIST)
		give_up(d->path, strerror(errno));
	nr_disks++;
}

/* Disks are probed in any order, and numbered in that of their names. */
static int by_number(const void *a, const void *b)
{
	const struct disk *x = a, *y = b;

	if (x->major != y->major)
		return x->major < y->major ? -1 : 1;
	return (x->minor > y->minor) - (x->minor < y->minor);
}

static void find_disks(void)
{
	unsigned int number, minor;
	unsigned long long kib;
	char line[256], name[64];
	FILE *in = fopen("/proc/partitions", "r");

	nr_disks = 0;
	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%u %u %llu %63s", &number, &minor, &kib, name) != 4 || !is_scsi_disk(number, minor))
			continue;
		/* devfs, of the 2.4 line, has names of several parts; the number is as good. */
		if (strchr(name, '/'))
			snprintf(name, sizeof(name), "disk%u", nr_disks);
		add_disk(number, minor, kib, name);
	}
	if (in)
		fclose(in);
	qsort(disk, nr_disks, sizeof(disk[0]), by_number);
}

static void wait_for_disks(void)
{
	unsigned int wanted = boot_number("isp.disks", 1), seconds = boot_number("isp.wait", 30);

	for (unsigned int i = 0; i <= seconds * 100; i++) {
		find_disks();
		if (nr_disks >= wanted)
			return;
		usleep(10000);
	}
	if (!nr_disks)
		give_up("no disk", "none of a SCSI major is in /proc/partitions");
	tell("trouble", "%u of %u disks", nr_disks, wanted);
	switch_off();
}

/* Add to @words what a word stands for; returns how many there are then. */
static unsigned int put_word(const char **words, unsigned int count, char *word)
{
	char *end;
	unsigned long number;

	if (!strcmp(word, "@disks")) {
		for (unsigned int i = 0; i < nr_disks && count + 2 < MAX_WORDS; i++) {
			words[count++] = "--file";
			words[count++] = disk[i].path;
		}
		return count;
	}
	if (!strncmp(word, "@disk", 5)) {
		number = strtoul(word + 5, &end, 10);
		if (*end || number >= nr_disks)
			give_up(word, "no such disk");
		word = disk[number].path;
	}
	if (count + 1 < MAX_WORDS)
		words[count++] = word;
	return count;
}

/* Pass on what comes from a pipe, a line at a time. */
static void tell_lines(int fd)
{
	FILE *in = fdopen(fd, "r");
	char line[LINE];

	while (in && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = 0;
		tell("said", "%s", line);
	}
	if (in)
		fclose(in);
}

static void run(const char **words)
{
	int complaints[2], status = 0;
	pid_t pid;

	tell("begin", "%u", commands);
	if (pipe(complaints) < 0)
		give_up("pipe", strerror(errno));
	pid = fork();
	if (pid < 0)
		give_up("fork", strerror(errno));
	if (!pid) {
		dup2(complaints[1], 2);
		close(complaints[0]);
		close(complaints[1]);
		execv("/isp-io", (char **)words);
		fprintf(stderr, "/isp-io: %s\n", strerror(errno));
		_exit(127);
	}
	close(complaints[1]);
	tell_lines(complaints[0]);
	waitpid(pid, &status, 0);
	tell("end", "%u %d", commands++, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static void run_words(char *line, const char *between)
{
	const char *words[MAX_WORDS] = { "isp-io" };
	unsigned int count = 1;

	for (char *word = strtok(line, between); word; word = strtok(NULL, between))
		count = put_word(words, count, word);
	words[count] = NULL;
	run(words);
}

static void run_line(char *line)
{
	run_words(line, " \t");
}

int main(void)
{
	struct utsname uts;
	char *word;

	make_root();
	uname(&uts);
	tell("kernel", "%s", uts.release);
	each_line("/isp/modules", load_module);
	wait_for_disks();
	for (unsigned int i = 0; i < nr_disks; i++)
		tell("disk", "%s %llu", disk[i].path, (unsigned long long)disk[i].bytes);
	if (!each_line("/isp/commands", run_line)) {
		word = boot_word("isp.io");
		if (!word)
			give_up("nothing to run", "neither /isp/commands nor isp.io= is there");
		run_words(word, ",");
	}
	switch_off();
}
