/* Preloaded into a process: notes every write, cut, deletion and sync of files under $POWERLOSS_FOLDER, in order, in
 * $POWERLOSS_LOG. A write is noted before it is done, a sync after it has returned.
 * Record: kind (1 byte), length of path (2), offset (8), length of data (8), all little-endian; path; data. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;

static void put(const void *data, size_t length) {
    const char *at = data;
    while (length > 0) {
        long done = syscall(SYS_write, log_file, at, length);
        if (done <= 0) abort();
        at += done;
        length -= done;
    }
}

static void note_path(char kind, const char *path, ssize_t size, uint64_t offset, const void *data, uint64_t length) {
    const char *folder = getenv("POWERLOSS_FOLDER"), *log_path = getenv("POWERLOSS_LOG");
    if (folder == NULL || log_path == NULL) return;
    if (size < (ssize_t)strlen(folder) || strncmp(path, folder, strlen(folder)) != 0) return;
    pthread_mutex_lock(&gate);
    if (log_file < 0) log_file = syscall(SYS_openat, AT_FDCWD, log_path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    uint16_t path_length = size;
    uint64_t stored = kind == 'w' ? length : 0;
    put(&kind, 1);
    put(&path_length, 2);
    put(&offset, 8);
    put(&stored, 8);
    put(path, size);
    if (stored) put(data, stored);
    pthread_mutex_unlock(&gate);
}

static void note(char kind, int file, uint64_t offset, const void *data, uint64_t length) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    note_path(kind, path, readlink(link, path, sizeof path), offset, data, length);
}

#define REAL(type, name) \
    static type real; \
    if (real == NULL) real = (type)dlsym(RTLD_NEXT, name)

typedef ssize_t (*pwrite_type)(int, const void *, size_t, off64_t);
typedef ssize_t (*write_type)(int, const void *, size_t);
typedef int (*truncate_type)(int, off64_t);
typedef int (*sync_type)(int);
typedef int (*unlink_type)(const char *);

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    REAL(pwrite_type, "pwrite64");
    note('w', file, offset, data, length);
    return real(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
    REAL(write_type, "write");
    note('w', file, UINT64_MAX, data, length);
    return real(file, data, length);
}

int ftruncate64(int file, off64_t length) {
    REAL(truncate_type, "ftruncate64");
    note('t', file, length, NULL, 0);
    return real(file, length);
}

int unlink(const char *path) {
    REAL(unlink_type, "unlink");
    note_path('u', path, strlen(path), 0, NULL, 0);
    return real(path);
}

int fsync(int file) {
    REAL(sync_type, "fsync");
    int result = real(file);
    if (result == 0) note('s', file, 0, NULL, 0);
    return result;
}

int fdatasync(int file) {
    REAL(sync_type, "fdatasync");
    int result = real(file);
    if (result == 0) note('s', file, 0, NULL, 0);
    return result;
}
