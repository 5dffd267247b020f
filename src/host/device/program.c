#include "device/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool is_executable_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static int find_in_path(const char *command, char path[PATH_MAX], struct dj_error *err)
{
    const char *at = getenv("PATH");
    at = at != NULL ? at : "/usr/local/bin:/usr/bin:/bin";
    while (true) {
        size_t length = strcspn(at, ":");
        int written = snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, at,
                               length > 0 ? "/" : "./", command);
        if (written > 0 && written < PATH_MAX && is_executable_file(path)) {
            return 0;
        }
        if (at[length] == '\0') {
            return dj_error_set(err, DJ_E_NOT_FOUND, "there is no program '%s' in PATH",
                                command);
        }
        at += length + 1;
    }
}

int dj_device_program_find(const char *command, char path[PATH_MAX], struct dj_error *err)
{
    if (strchr(command, '/') == NULL) {
        return find_in_path(command, path, err);
    }
    int written = snprintf(path, PATH_MAX, "%s", command);
    if (written < 0 || written >= PATH_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "the path of the program is too long");
    }
    if (is_executable_file(path)) {
        return 0;
    }
    if (access(path, F_OK) == 0) {
        return dj_error_set(err, DJ_E_IO, "'%s' is not an executable file", path);
    }
    return errno == EACCES
               ? dj_error_set(err, DJ_E_IO, "'%s': %s", path, strerror(errno))
               : dj_error_set(err, DJ_E_NOT_FOUND, "there is no file '%s'", path);
}

/* Reads the path of the dynamic linker from the ELF headers. Returns false if the program
 * has none. pread() fails safely if a field of the file is wrong. */
static bool read_interpreter(int fd, const Elf64_Ehdr *elf, char path[PATH_MAX])
{
    for (size_t i = 0; i < elf->e_phnum && i < 256; i++) {
        Elf64_Phdr header;
        off_t at = (off_t)(elf->e_phoff + i * sizeof(header));
        if (pread(fd, &header, sizeof(header), at) != (ssize_t)sizeof(header)) {
            return false;
        }
        if (header.p_type == PT_INTERP) {
            ssize_t length = pread(fd, path, PATH_MAX - 1, (off_t)header.p_offset);
            path[length > 0 ? length : 0] = '\0';
            return true;
        }
    }
    return false;
}

static const char *find_elf_obstacle(int fd)
{
    Elf64_Ehdr elf;
    ssize_t length = pread(fd, &elf, sizeof(elf), 0);
    if (length < EI_NIDENT || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) {
        /* The file is a script. Preloading then depends on the interpreter. */
        return NULL;
    }
    if (elf.e_ident[EI_CLASS] != ELFCLASS64) {
        return "it is a 32-bit program, and the recorder is 64-bit. hint: build it for "
               "64 bits";
    }
    if (length != (ssize_t)sizeof(elf)) {
        return "its ELF header is truncated";
    }
    char interpreter[PATH_MAX];
    if (!read_interpreter(fd, &elf, interpreter)) {
        return "it is statically linked. hint: link it dynamically";
    }
    bool is_musl = strncmp(basename(interpreter), "ld-musl-", strlen("ld-musl-")) == 0;
    return is_musl
               ? "its C library is musl, and the recorder needs glibc. hint: build it "
                 "with glibc"
               : NULL;
}

static const char *find_privilege_obstacle(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    bool other_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
    bool other_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != getegid();
    if (other_user || other_group) {
        return "it is setuid or setgid, and the loader ignores LD_PRELOAD for such "
               "programs. hint: record a copy without these bits, as that user";
    }
    if (geteuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0) {
        return "it has file capabilities, and the loader ignores LD_PRELOAD for such "
               "programs. hint: record a copy without them, as root";
    }
    return NULL;
}

const char *dj_device_program_preload_obstacle(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    const char *obstacle = find_privilege_obstacle(fd);
    obstacle = obstacle != NULL ? obstacle : find_elf_obstacle(fd);
    close(fd);
    return obstacle;
}
