/*
 * The files that are mapped as code in each process, while a capture runs. The caller
 * passes the changes in order of time: records of several rings must be sorted first,
 * because a late fork record would undo the mappings that follow it.
 *
 * Mappings and modules are numbered from 0 and are never removed, so their numbers stay
 * valid after the process has ended. Kernels do not report munmap(): a mapping ends when
 * another one covers it.
 */
#ifndef DEJANK_STACKS_MAPS_H
#define DEJANK_STACKS_MAPS_H

#include <sys/types.h>

#include "stacks/elf.h"

/* A mapping number that no mapping has: the address is in no known mapping. */
#define DJ_STACKS_NO_MAPPING UINT32_MAX

enum dj_stacks_module_kind {
    DJ_STACKS_FILE,
    DJ_STACKS_VDSO,
    DJ_STACKS_ANONYMOUS, /* Code that the program wrote itself, such as a JIT's. */
};

/* A file that is mapped somewhere. Files with equal path, device and inode are one
 * module, in all processes. */
struct dj_stacks_module {
    enum dj_stacks_module_kind kind;
    /* The path as the process sees it (its root folder may be another one than
     * dejank's), "[vdso]", or a name of anonymous memory ("//anon", "/memfd:…"). Escape
     * it before printing. */
    const char *path;
    uint64_t device, inode; /* 0 if unknown. */
    struct dj_stacks_build_id build_id;
    struct dj_stacks_elf *elf; /* NULL until a function below opens it. */
    bool was_opened;           /* Opening was tried. */
    const char *fault;         /* Why `elf` is NULL after that, in a few words. */
};

struct dj_stacks_mapping {
    uint64_t start, end; /* The mapping was [start, end) when it was added. */
    uint64_t file_offset;
    pid_t pid;
    uint32_t module;
};

struct dj_stacks_maps;

struct dj_stacks_maps *dj_stacks_maps_create(void);
/* Call it first if the processes are those of a recording, perhaps of another machine.
 * Nothing is then read from /proc. A file is used only if its build-id is the recorded
 * one. If none was recorded, the file must have the recorded inode, and must not have
 * changed since `recorded_s` (seconds since 1970). */
void dj_stacks_maps_set_recorded(struct dj_stacks_maps *maps, int64_t recorded_s);
bool dj_stacks_maps_is_recorded(const struct dj_stacks_maps *maps);
void dj_stacks_maps_destroy(struct dj_stacks_maps *maps);

/* Reads the executable mappings of a running process from /proc/PID/maps. They replace
 * those that are known of the process. Returns DJ_E_NOT_FOUND if the process has ended,
 * or DJ_E_IO if reading is not permitted. */
int dj_stacks_maps_read(struct dj_stacks_maps *maps, pid_t pid, struct dj_error *err);

/* A new executable mapping, as PERF_RECORD_MMAP2 reports it. */
struct dj_stacks_new_mapping {
    pid_t pid;
    uint64_t start, size, file_offset;
    /* The device number and inode of the file, as makedev() and stat() return them, or
     * 0. */
    uint64_t device, inode;
    const char *path; /* Path of the file. "" for anonymous memory. */
    const struct dj_stacks_build_id *build_id; /* NULL if the record has none. */
};

void dj_stacks_maps_add(struct dj_stacks_maps *maps,
                        const struct dj_stacks_new_mapping *mapping);
/* A new process with the mappings of its parent. Not for a new thread. */
void dj_stacks_maps_fork(struct dj_stacks_maps *maps, pid_t parent, pid_t child);
/* The process executes another program: it loses its mappings (PERF_RECORD_COMM with
 * PERF_RECORD_MISC_COMM_EXEC). */
void dj_stacks_maps_exec(struct dj_stacks_maps *maps, pid_t pid);
/* The process, not only a thread, has ended. */
void dj_stacks_maps_exit(struct dj_stacks_maps *maps, pid_t pid);

/* Returns the number of the mapping that contains the address at this time, or
 * DJ_STACKS_NO_MAPPING. */
uint32_t dj_stacks_maps_find(struct dj_stacks_maps *maps, pid_t pid, uint64_t address);

size_t dj_stacks_maps_count(const struct dj_stacks_maps *maps);
/* Both are valid until the next mapping is added. The number must exist. */
const struct dj_stacks_mapping *dj_stacks_maps_get(const struct dj_stacks_maps *maps,
                                                   uint32_t mapping);
const struct dj_stacks_module *dj_stacks_maps_module(const struct dj_stacks_maps *maps,
                                                     uint32_t module);
size_t dj_stacks_maps_module_count(const struct dj_stacks_maps *maps);

/* Opens the module of a mapping, if that was not tried yet. A process that still runs
 * gives access to its deleted files, to files in its own root folder, and to its vdso.
 * A file that was replaced is recognised by its inode, or by the build-id if one is
 * known, and not used. Returns the open file, or NULL and sets `fault` of the module. */
struct dj_stacks_elf *dj_stacks_maps_open(struct dj_stacks_maps *maps, uint32_t mapping);

/* Converts an address in the process to an address in the module's file (elf.h). Opens
 * the module. Returns false if the module is not an ELF file that can be read. */
bool dj_stacks_maps_file_address(struct dj_stacks_maps *maps, uint32_t mapping,
                                 uint64_t address, uint64_t *file_address);

#endif
