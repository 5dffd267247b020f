#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "memory/memory.h"
#include "stacks/maps_private.h"

/* Maximum size of a vdso in bytes. Real ones have a few pages. */
enum { VDSO_BYTES_MAX = 1 << 20 };

static const char *describe(int code)
{
    switch (code) {
    case DJ_E_NOT_FOUND:
        return "the file does not exist any more";
    case DJ_E_UNSUPPORTED:
        return "it is not an ELF file for x86-64 or arm64";
    case DJ_E_INVALID:
    case DJ_E_TRUNCATED:
        return "it is not a valid ELF file";
    default:
        return "the file cannot be read";
    }
}

static struct dj_stacks_elf *open_memory(const char *path, uint64_t start, uint64_t size)
{
    struct dj_stacks_elf *elf = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || size > VDSO_BYTES_MAX) {
        close(fd);
        return NULL;
    }
    uint8_t *bytes = dj_xresize(NULL, (size_t)size, 1);
    if (pread(fd, bytes, (size_t)size, (off_t)start) == (ssize_t)size) {
        dj_stacks_elf_open_bytes(bytes, (size_t)size, &elf, NULL);
    }
    free(bytes);
    close(fd);
    return elf;
}

/* Opens the vdso of the process. All 64-bit processes of a machine have the same vdso, so
 * dejank's own vdso is used if the memory of the process cannot be read. For a recording,
 * dejank's own vdso is used only if it has the recorded build-id. */
static void open_vdso(const struct dj_stacks_maps *maps, struct dj_stacks_module *module,
                      const struct dj_stacks_mapping *mapping)
{
    char path[32];
    uint64_t size = mapping->end - mapping->start;
    uint64_t own = getauxval(AT_SYSINFO_EHDR);
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)mapping->pid);
    module->elf = maps->is_recorded ? NULL : open_memory(path, mapping->start, size);
    if (module->elf == NULL && own != 0) {
        module->elf = open_memory("/proc/self/mem", own, size);
    }
    if (module->elf != NULL && maps->is_recorded &&
        !dj_stacks_build_id_equal(dj_stacks_elf_build_id(module->elf),
                                  &module->build_id)) {
        dj_stacks_elf_close(module->elf);
        module->elf = NULL;
    }
    module->fault = module->elf == NULL ? "the vdso cannot be read" : NULL;
}

/* Opens the file at `path` if it is the file that was mapped. Returns false otherwise. */
static bool open_same(struct dj_stacks_module *module, const char *path)
{
    struct stat status;
    struct dj_stacks_elf *elf;
    bool has_inode = module->inode != 0 && stat(path, &status) == 0;
    int code = dj_stacks_elf_open(path, &elf, NULL);
    if (code != 0) {
        module->fault = module->fault == NULL ? describe(code) : module->fault;
        return false;
    }
    bool is_same =
        module->build_id.length > 0
            ? dj_stacks_build_id_equal(dj_stacks_elf_build_id(elf), &module->build_id)
            : !has_inode || status.st_ino == module->inode;
    if (!is_same) {
        dj_stacks_elf_close(elf);
        module->fault = "the file was replaced by another one";
        return false;
    }
    module->elf = elf;
    module->fault = NULL;
    return true;
}

static bool open_formatted(struct dj_stacks_module *module, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool open_formatted(struct dj_stacks_module *module, const char *format, ...)
{
    char path[4096 + 64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof(path), format, arguments);
    va_end(arguments);
    return length > 0 && (size_t)length < sizeof(path) && open_same(module, path);
}

/* Opens the copy of a file in the cache of perf. `perf record` adds the files of its own
 * machine, and `perf archive` copies them to another machine. */
static void open_cached_file(struct dj_stacks_module *module)
{
    char digits[DJ_STACKS_BUILD_ID_TEXT];
    const char *home = getenv("HOME");
    dj_stacks_build_id_format(&module->build_id, digits);
    if (home != NULL && digits[0] != '\0') {
        open_formatted(module, "%s/.debug/.build-id/%.2s/%s/elf", home, digits,
                       digits + 2);
    }
}

/* Opens a file of a recording. Without a build-id, only the inode and the time of change
 * can show that the file is the recorded one. */
static void open_recorded_file(const struct dj_stacks_maps *maps,
                               struct dj_stacks_module *module)
{
    struct stat status;
    bool is_known = module->build_id.length > 0 ||
                    (module->inode != 0 && stat(module->path, &status) == 0 &&
                     status.st_mtime <= maps->recorded_s);
    if (is_known) {
        open_same(module, module->path);
    } else {
        module->fault = "its build-id was not recorded";
    }
    if (module->elf == NULL) {
        open_cached_file(module);
    }
    if (module->elf != NULL) {
        module->build_id = *dj_stacks_elf_build_id(module->elf);
    }
}

/* Links in /proc/PID/map_files also lead to deleted files, but opening them needs a
 * privilege. */
static void open_file(struct dj_stacks_module *module,
                      const struct dj_stacks_mapping *mapping)
{
    int pid = (int)mapping->pid;
    if (!open_formatted(module, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid,
                        mapping->start, mapping->end)) {
        module->fault = NULL;
        if (!open_formatted(module, "/proc/%d/root%s", pid, module->path)) {
            module->fault = NULL;
            open_formatted(module, "%s", module->path);
        }
    }
    if (module->elf != NULL && module->build_id.length == 0) {
        module->build_id = *dj_stacks_elf_build_id(module->elf);
    }
}

struct dj_stacks_elf *dj_stacks_maps_open(struct dj_stacks_maps *maps, uint32_t number)
{
    const struct dj_stacks_mapping *mapping = &maps->mappings[number];
    struct dj_stacks_module *module = &maps->modules[mapping->module];
    if (!module->was_opened) {
        module->was_opened = true;
        if (module->kind == DJ_STACKS_FILE && maps->is_recorded) {
            open_recorded_file(maps, module);
        } else if (module->kind == DJ_STACKS_FILE) {
            open_file(module, mapping);
        } else if (module->kind == DJ_STACKS_VDSO) {
            open_vdso(maps, module, mapping);
        } else {
            module->fault = "the code is in no file";
        }
    }
    return module->elf;
}

bool dj_stacks_maps_file_address(struct dj_stacks_maps *maps, uint32_t number,
                                 uint64_t address, uint64_t *file_address)
{
    const struct dj_stacks_mapping *mapping = &maps->mappings[number];
    struct dj_stacks_elf *elf = dj_stacks_maps_open(maps, number);
    return elf != NULL &&
           dj_stacks_elf_find_address(
               elf, address - mapping->start + mapping->file_offset, file_address);
}
