/* What a disk can do to a process, between it and the C library: calls counted, failing or deadly at the n-th, and a
 * shadow of what a power cut would leave. Driven by `syscalls.py`; nothing happens until `disk_arm` or `disk_shadow`. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...)                              \
    static type (*real)(__VA_ARGS__);                      \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

enum { DIE = -1 };
static char root[PATH_MAX], shadow[PATH_MAX], wanted[512];
static long at_call, seen;
static int what, lasting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;

static struct mapping { void *start; size_t length; char path[PATH_MAX]; } maps[4096];
static int mapped;

/* Fail (an errno) or die (-1) at call number `nth` of those named in `calls` ("*" or "write,fsync") on files below
 * `folder`; with `after`, at each one from there on. 0 counts only. */
void disk_arm(const char *folder, const char *calls, long nth, int outcome, int after) {
    pthread_mutex_lock(&lock);
    snprintf(root, sizeof root, "%s", folder);
    snprintf(wanted, sizeof wanted, ",%s,", calls);
    at_call = nth, what = outcome, lasting = after, seen = 0;
    pthread_mutex_unlock(&lock);
}

long disk_calls(void) { return seen; }

/* From now on keep in `keep` each file below `folder` as it was when it was last made durable. */
void disk_shadow(const char *folder, const char *keep) {
    snprintf(root, sizeof root, "%s", folder);
    snprintf(shadow, sizeof shadow, "%s", keep);
}

static int below(const char *path) {
    size_t length = strlen(root);
    return length && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

static int full_path(int folder, const char *name, char *path) {
    char home[PATH_MAX] = "";
    if (name[0] == '/') return snprintf(path, PATH_MAX, "%s", name), below(path);
    if (folder == AT_FDCWD) { if (!getcwd(home, sizeof home)) return 0; }
    else { char link[64]; snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
           ssize_t length = readlink(link, home, sizeof home - 1); if (length < 0) return 0; home[length] = 0; }
    return snprintf(path, PATH_MAX, "%.2000s/%.2000s", home, name), below(path);
}

/* Whether this call, on a file below the folder, is to fail; it does not come back where it is deadly. */
static int trips(const char *call) {
    char name[64];
    int fails = 0;
    if (inside || !wanted[0]) return 0;
    snprintf(name, sizeof name, ",%s,", call);
    if (strcmp(wanted, ",*,") && !strstr(wanted, name)) return 0;
    pthread_mutex_lock(&lock);
    seen++;
    if (what && (seen == at_call || (lasting && seen > at_call))) fails = what;
    pthread_mutex_unlock(&lock);
    if (fails == DIE) { syscall(SYS_kill, -getpgrp(), SIGKILL); for (;;) pause(); }
    if (fails) errno = fails;
    return fails;
}

static int fd_trips(const char *call, int fd) {
    char path[PATH_MAX];
    return wanted[0] && !inside && path_of(fd, path) && trips(call);
}

static int name_trips(const char *call, int folder, const char *name) {
    char path[PATH_MAX];
    return wanted[0] && !inside && full_path(folder, name, path) && trips(call);
}

/* The shadow: contents by the identity of the file, and a log of the names that are durable. */

static int identity(int fd, char *id) {
    struct statx stat;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME | STATX_TYPE, &stat)) return 0;
    sprintf(id, "%llu.%lld.%u", (unsigned long long)stat.stx_ino, (long long)stat.stx_btime.tv_sec,
            stat.stx_btime.tv_nsec);
    return S_ISDIR(stat.stx_mode) ? 2 : 1;
}

static void note(const char *line) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/names", shadow);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (log >= 0) { if (write(log, line, strlen(line)) < 0) abort(); close(log); }
}

/* A file without a name is kept as well: it may be given one later. */
static void keep_file(int fd, const char *path, const char *id) {
    struct stat state;
    char itself[64], part[PATH_MAX], whole[PATH_MAX], line[PATH_MAX + 128], buffer[1 << 16];
    snprintf(part, sizeof part, "%.3900s/part.%d.%s", shadow, getpid(), id);
    snprintf(whole, sizeof whole, "%.3900s/%s", shadow, id);
    snprintf(itself, sizeof itself, "/proc/self/fd/%d", fd);
    int from = open(itself, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t at = 0, hole, end = from < 0 ? 0 : lseek(from, 0, SEEK_END);
    if (to >= 0 && ftruncate(to, end)) abort();
    while (from >= 0 && to >= 0 && (at = lseek(from, at, SEEK_DATA)) >= 0) /* files of an index are mostly holes */
        for (hole = lseek(from, at, SEEK_HOLE); at < hole;) {
            size_t wanted = (size_t)(hole - at) < sizeof buffer ? (size_t)(hole - at) : sizeof buffer;
            ssize_t length = pread(from, buffer, wanted, at);
            if (length <= 0 || pwrite(to, buffer, length, at) != length) abort();
            at += length;
        }
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    rename(part, whole);
    if (fstat(fd, &state) || !state.st_nlink) return;
    snprintf(line, sizeof line, "F\t%s\t%s\n", id, path);
    note(line);
}

static void keep_folder(const char *path) {
    char line[PATH_MAX + 512], name[PATH_MAX], id[96];
    DIR *folder = opendir(path);
    if (!folder) return;
    snprintf(line, sizeof line, "D\t-\t%s\n", path);
    note(line);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(name, sizeof name, "%.3800s/%s", path, entry->d_name);
        int fd = open(name, O_RDONLY);
        if (fd < 0) continue;
        int kind = identity(fd, id);
        close(fd);
        snprintf(line, sizeof line, "%c\t%s\t%s\n", kind == 2 ? 'S' : 'E', id, name);
        note(line);
    }
    closedir(folder);
}

static void made_durable(int fd, const char *path) {
    char id[96];
    if (!shadow[0] || inside) return;
    inside = 1;
    pthread_mutex_lock(&lock);
    int kind = identity(fd, id);
    if (kind == 1) keep_file(fd, path, id);
    if (kind == 2) keep_folder(path);
    pthread_mutex_unlock(&lock);
    inside = 0;
}

/* Keep a file or a folder as if it were made durable now. */
void disk_keep(const char *path) {
    int fd = open(path, O_RDONLY);
    if (fd >= 0) { made_durable(fd, path); close(fd); }
}

/* No device is waited for: what is durable is what the shadow holds, and a kill takes nothing that was written. */
static int synced(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    if (inside || !path_of(fd, path)) return real(fd);
    made_durable(fd, path);
    return 0;
}

/* The calls. */

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return fd_trips("write", fd) ? -1 : real(fd, data, size);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    return fd_trips("write", fd) ? -1 : real(fd, parts, count);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    return fd_trips("write", fd) ? -1 : real(fd, data, size, at);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    return fd_trips("write", fd) ? -1 : real(fd, data, size, at);
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    return fd_trips("fsync", fd) ? -1 : synced(fd, real);
}
int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return fd_trips("fsync", fd) ? -1 : synced(fd, real);
}
int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    return fd_trips("ftruncate", fd) ? -1 : real(fd, size);
}
int ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    return fd_trips("ftruncate", fd) ? -1 : real(fd, size);
}
int fallocate64(int fd, int mode, off64_t at, off64_t size) {
    REAL(int, "fallocate64", int, int, off64_t, off64_t);
    return fd_trips("ftruncate", fd) ? -1 : real(fd, mode, at, size);
}
int posix_fallocate64(int fd, off64_t at, off64_t size) {
    REAL(int, "posix_fallocate64", int, off64_t, off64_t);
    return fd_trips("ftruncate", fd) ? errno : real(fd, at, size);
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return name_trips("rename", AT_FDCWD, to) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char *from, int folder, const char *to, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    return name_trips("rename", folder, to) ? -1 : real(from_folder, from, folder, to, flags);
}
int link(const char *from, const char *to) {
    REAL(int, "link", const char *, const char *);
    return name_trips("rename", AT_FDCWD, to) ? -1 : real(from, to);
}
int linkat(int from_folder, const char *from, int folder, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    return name_trips("rename", folder, to) ? -1 : real(from_folder, from, folder, to, flags);
}
int unlink(const char *name) {
    REAL(int, "unlink", const char *);
    return name_trips("unlink", AT_FDCWD, name) ? -1 : real(name);
}
int unlinkat(int folder, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    return name_trips("unlink", folder, name) ? -1 : real(folder, name, flags);
}
int mkdir(const char *name, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return name_trips("mkdir", AT_FDCWD, name) ? -1 : real(name, mode);
}

#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))
#define MODE(mode) \
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more)

int open(const char *name, int flags, ...) {
    MODE(mode);
    REAL(int, "open", const char *, int, ...);
    return WRITES(flags) && name_trips("open", AT_FDCWD, name) ? -1 : real(name, flags, mode);
}
int open64(const char *name, int flags, ...) {
    MODE(mode);
    REAL(int, "open64", const char *, int, ...);
    return WRITES(flags) && name_trips("open", AT_FDCWD, name) ? -1 : real(name, flags, mode);
}
int openat(int folder, const char *name, int flags, ...) {
    MODE(mode);
    REAL(int, "openat", int, const char *, int, ...);
    return WRITES(flags) && name_trips("open", folder, name) ? -1 : real(folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
    MODE(mode);
    REAL(int, "openat64", int, const char *, int, ...);
    return WRITES(flags) && name_trips("open", folder, name) ? -1 : real(folder, name, flags, mode);
}

static void *mapping(void *found, size_t size, int flags, int fd) {
    char path[PATH_MAX];
    if (found == MAP_FAILED || !root[0] || inside || fd < 0 || !(flags & MAP_SHARED) || !path_of(fd, path)) return found;
    pthread_mutex_lock(&lock);
    struct mapping *one = &maps[mapped++ % 4096];
    one->start = found, one->length = size;
    snprintf(one->path, PATH_MAX, "%s", path);
    pthread_mutex_unlock(&lock);
    return found;
}
void *mmap64(void *near, size_t size, int guard, int flags, int fd, off64_t at) {
    REAL(void *, "mmap64", void *, size_t, int, int, int, off64_t);
    if (fd >= 0 && (flags & MAP_SHARED) && (guard & PROT_WRITE) && fd_trips("mmap", fd)) return MAP_FAILED;
    return mapping(real(near, size, guard, flags, fd, at), size, flags, fd);
}
void *mmap(void *near, size_t size, int guard, int flags, int fd, off_t at) {
    return mmap64(near, size, guard, flags, fd, at);
}
int msync(void *start, size_t size, int flags) {
    REAL(int, "msync", void *, size_t, int);
    char path[PATH_MAX] = "";
    for (int i = 0; i < (mapped < 4096 ? mapped : 4096); i++)
        if ((char *)start >= (char *)maps[i].start && (char *)start < (char *)maps[i].start + maps[i].length)
            snprintf(path, sizeof path, "%s", maps[i].path);
    if (path[0] && shadow[0] && trips("fsync")) return -1;
    if (!path[0]) return real(start, size, flags);
    int fd = shadow[0] && (flags & MS_SYNC) ? open(path, O_RDONLY) : -1;
    if (fd >= 0) { made_durable(fd, path); close(fd); }
    return 0;
}
