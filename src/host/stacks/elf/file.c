#include "stacks/elf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"

/* Maximum size of a table in bytes. Chromium's symbols, the largest known table, have 300
 * MB. */
static const uint64_t table_bytes_max = UINT64_C(1) << 30;

/* Descriptor of /proc/self/mem, or −1. Mapped files are read through it. If a file was
 * truncated meanwhile, reading it in this way returns an error instead of raising
 * SIGBUS. */
static int own_memory = -1;
static pthread_once_t own_memory_once = PTHREAD_ONCE_INIT;

static void open_own_memory(void)
{
    own_memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
}

/* Maps the file and closes its descriptor, so that the number of open descriptors does
 * not grow with the number of files. If /proc is missing, the descriptor stays open. */
static void map_file(struct dj_stacks_elf *elf)
{
    pthread_once(&own_memory_once, open_own_memory);
    if (own_memory < 0) {
        return;
    }
    void *mapped = mmap(NULL, elf->size, PROT_READ, MAP_PRIVATE, elf->fd, 0);
    if (mapped != MAP_FAILED) {
        elf->mapped = mapped;
        close(elf->fd);
        elf->fd = -1;
    }
}

bool dj_elf_read_file(const struct dj_stacks_elf *elf, uint64_t offset, void *bytes,
                      size_t size)
{
    uint8_t *to = bytes;
    if (offset > elf->size || size > elf->size - offset) {
        return false;
    }
    if (elf->bytes != NULL) {
        memcpy(to, elf->bytes + offset, size);
        return true;
    }
    if (elf->mapped != NULL) {
        offset += (uintptr_t)elf->mapped;
    }
    while (size > 0) {
        ssize_t got =
            pread(elf->mapped != NULL ? own_memory : elf->fd, to, size, (off_t)offset);
        if (got <= 0) {
            return false; /* The file was truncated. */
        }
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

uint8_t *dj_elf_copy_file(const struct dj_stacks_elf *elf, uint64_t offset, uint64_t size)
{
    if (offset > elf->size || size > elf->size - offset || size > table_bytes_max) {
        return NULL;
    }
    uint8_t *bytes = dj_xresize(NULL, (size_t)size + 1, 1);
    bytes[size] = 0;
    if (!dj_elf_read_file(elf, offset, bytes, (size_t)size)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

const struct dj_elf_section *dj_elf_find_section(const struct dj_stacks_elf *elf,
                                                 const char *name)
{
    for (size_t i = 0; i < elf->section_count; i++) {
        uint32_t at = elf->sections[i].name;
        if (at < elf->section_names_size && strcmp(elf->section_names + at, name) == 0) {
            return &elf->sections[i];
        }
    }
    return NULL;
}

bool dj_stacks_elf_find_address(const struct dj_stacks_elf *elf, uint64_t file_offset,
                                uint64_t *address)
{
    const struct dj_elf_segment *found = NULL;
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct dj_elf_segment *segment = &elf->segments[i];
        if (file_offset - segment->offset < segment->size &&
            (found == NULL || (segment->is_executable && !found->is_executable))) {
            found = segment;
        }
    }
    if (found != NULL) {
        *address = found->address + (file_offset - found->offset);
    }
    return found != NULL;
}

bool dj_stacks_elf_read(const struct dj_stacks_elf *elf, uint64_t address, void *bytes,
                        size_t size)
{
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct dj_elf_segment *segment = &elf->segments[i];
        uint64_t offset = address - segment->address;
        if (offset < segment->size && size <= segment->size - offset) {
            return dj_elf_read_file(elf, segment->offset + offset, bytes, size);
        }
    }
    return false;
}

enum dj_stacks_machine dj_stacks_elf_machine(const struct dj_stacks_elf *elf)
{
    return elf->machine;
}

const struct dj_stacks_build_id *dj_stacks_elf_build_id(const struct dj_stacks_elf *elf)
{
    return &elf->build_id;
}

const char *dj_stacks_elf_path(const struct dj_stacks_elf *elf)
{
    return elf->path;
}

static int finish_opening(struct dj_stacks_elf *file, struct dj_stacks_elf **elf,
                          struct dj_error *err)
{
    int code = dj_elf_read_headers(file, err);
    if (code != 0) {
        dj_stacks_elf_close(file);
        return code;
    }
    dj_elf_read_frames(file);
    *elf = file;
    return 0;
}

/* Opens a regular file and sets *size. Returns the descriptor, or returns −1 and sets
 * errno. */
static int open_regular(const char *path, uint64_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        return -1;
    }
    int failure = fstat(fd, &status) != 0 ? errno : !S_ISREG(status.st_mode) ? EINVAL : 0;
    if (failure != 0) {
        close(fd);
        errno = failure;
        return -1;
    }
    *size = (uint64_t)status.st_size;
    return fd;
}

/* Opens a file and allocates its struct. Reads none of its content. */
static int open_file(const char *path, struct dj_stacks_elf **file, struct dj_error *err)
{
    uint64_t size = 0;
    int fd = open_regular(path, &size);
    if (fd < 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path,
                            errno == EINVAL ? "not a regular file" : strerror(errno));
    }
    *file = dj_xcalloc(1, sizeof(**file));
    (*file)->fd = fd;
    (*file)->size = size;
    (*file)->path = dj_xstrdup(path);
    map_file(*file);
    return 0;
}

int dj_stacks_elf_open(const char *path, struct dj_stacks_elf **elf, struct dj_error *err)
{
    struct dj_stacks_elf *file;
    *elf = NULL;
    int code = open_file(path, &file, err);
    if (code == 0 && (code = finish_opening(file, elf, err)) != 0) {
        dj_error_prepend(err, "%s", path);
    }
    return code;
}

bool dj_stacks_elf_identify(const char *path, struct dj_stacks_build_id *id,
                            bool *has_symbols)
{
    struct dj_stacks_elf *file;
    if (open_file(path, &file, NULL) != 0) {
        return false;
    }
    bool is_elf = dj_elf_read_headers(file, NULL) == 0;
    *id = file->build_id;
    *has_symbols = dj_elf_find_section(file, ".symtab") != NULL;
    dj_stacks_elf_close(file);
    return is_elf;
}

int dj_stacks_elf_open_bytes(const void *bytes, size_t size, struct dj_stacks_elf **elf,
                             struct dj_error *err)
{
    struct dj_stacks_elf *file = dj_xcalloc(1, sizeof(*file));
    *elf = NULL;
    file->fd = -1;
    file->size = size;
    file->bytes = dj_xresize(NULL, size + 1, 1);
    if (size > 0) {
        memcpy(file->bytes, bytes, size);
    }
    return finish_opening(file, elf, err);
}

void dj_stacks_elf_close(struct dj_stacks_elf *elf)
{
    if (elf == NULL) {
        return;
    }
    if (elf->fd >= 0) {
        close(elf->fd);
    }
    if (elf->mapped != NULL) {
        munmap(elf->mapped, elf->size);
    }
    dj_stacks_elf_close(elf->mini);
    free(elf->bytes);
    free(elf->path);
    free(elf->segments);
    free(elf->sections);
    free(elf->section_names);
    free((void *)elf->frames.bytes);
    free((void *)elf->header.bytes);
    free(elf->ranges);
    free(elf->symbols);
    free(elf->strings);
    free(elf);
}
