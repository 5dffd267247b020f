/* Stores which files are mapped as code in each process during a capture. The caller
 * passes the changes in order of time. Records of several rings must be sorted first,
 * because a late fork record would undo the mappings that follow it.
 *
 * Mappings and modules are numbered from 0 and are never removed, so their numbers stay
 * valid after the process has ended. Kernels do not report munmap(): a mapping ends when
 * another one covers it. */
#ifndef DEJANK_STACKS_MAPS_H
#define DEJANK_STACKS_MAPS_H

#include <sys/types.h>

#include "stacks/elf.h"

/* Number for an address that is in no known mapping. */
#define DJ_STACKS_NO_MAPPING UINT32_MAX

enum dj_stacks_module_kind {
    DJ_STACKS_FILE,
    DJ_STACKS_VDSO,
    /* Code that the program itself wrote to memory, for example the code of a JIT. */
    DJ_STACKS_ANONYMOUS,
};

/* A file, or anonymous memory with code, that is mapped into at least one process. Files
 * with equal path, device and inode are a single module in all processes. */
struct dj_stacks_module {
    enum dj_stacks_module_kind kind;
    /* The path as the process sees it (its root folder may be another one than
     * dejank's), "[vdso]", or a name of anonymous memory ("//anon", "/memfd:…"). Escape
     * it before printing. */
    const char *path;
    uint64_t device, inode; /* Device number and inode of the file, or 0 if unknown. */
    struct dj_stacks_build_id build_id;
    /* The open file. NULL until dj_stacks_maps_open() has opened it. */
    struct dj_stacks_elf *elf;
    bool was_opened;   /* True after the first attempt to open the file. */
    const char *fault; /* If the attempt failed: the reason in a few words. */
};

struct dj_stacks_mapping {
    /* Range of addresses when the mapping was added. It does not contain `end`. */
    uint64_t start, end;
    uint64_t file_offset;
    pid_t pid;
    uint32_t module;
};

struct dj_stacks_maps;

struct dj_stacks_maps *dj_stacks_maps_create(void);
/* Prepares the maps for the processes of a recording, which may come from another
 * machine. Call this function first. Nothing is then read from /proc. A file is used only
 * if its build-id is the recorded one. If no build-id was recorded, the file must have
 * the recorded inode, and must not have changed since `recorded_s` (seconds since
 * 1970). */
void dj_stacks_maps_set_recorded(struct dj_stacks_maps *maps, int64_t recorded_s);
bool dj_stacks_maps_is_recorded(const struct dj_stacks_maps *maps);
void dj_stacks_maps_destroy(struct dj_stacks_maps *maps);

/* Reads the executable mappings of a running process from /proc/PID/maps. They replace
 * the mappings that were known before. Returns DJ_E_NOT_FOUND if the process has ended,
 * or DJ_E_IO if reading is not permitted. */
int dj_stacks_maps_read(struct dj_stacks_maps *maps, pid_t pid, struct dj_error *err);

/* A new executable mapping, as PERF_RECORD_MMAP2 reports it. */
struct dj_stacks_new_mapping {
    pid_t pid;
    uint64_t start, size, file_offset;
    /* Device number of the file, as makedev() returns it, and inode, as stat() returns
     * it. 0 if unknown. */
    uint64_t device, inode;
    const char *path; /* Path of the file. "" for anonymous memory. */
    /* Build-id of the file, or NULL if the record contains none. */
    const struct dj_stacks_build_id *build_id;
};

void dj_stacks_maps_add(struct dj_stacks_maps *maps,
                        const struct dj_stacks_new_mapping *mapping);
/* Adds a new process, which gets the mappings of its parent. Do not call this function
 * for a new thread. */
void dj_stacks_maps_fork(struct dj_stacks_maps *maps, pid_t parent, pid_t child);
/* Removes the mappings of a process because it executes another program (PERF_RECORD_COMM
 * with PERF_RECORD_MISC_COMM_EXEC). */
void dj_stacks_maps_exec(struct dj_stacks_maps *maps, pid_t pid);
/* Records that the whole process has ended. Do not call this function for a thread. */
void dj_stacks_maps_exit(struct dj_stacks_maps *maps, pid_t pid);

/* Returns the number of the mapping that contains the address at this time, or
 * DJ_STACKS_NO_MAPPING. */
uint32_t dj_stacks_maps_find(struct dj_stacks_maps *maps, pid_t pid, uint64_t address);

size_t dj_stacks_maps_count(const struct dj_stacks_maps *maps);
/* Returns the mapping with this number, which must exist. The pointer is valid until the
 * next mapping is added. */
const struct dj_stacks_mapping *dj_stacks_maps_get(const struct dj_stacks_maps *maps,
                                                   uint32_t mapping);

/* Returns the module with this number, which must exist. The pointer is valid until the
 * next mapping is added. */
const struct dj_stacks_module *dj_stacks_maps_module(const struct dj_stacks_maps *maps,
                                                     uint32_t module);

/* Returns the number of modules. */
size_t dj_stacks_maps_module_count(const struct dj_stacks_maps *maps);

/* Opens the module of a mapping at the first call. While the process runs, this also
 * works for deleted files, for files in the process's own root folder, and for its vdso.
 * Does not use a file that was replaced: its inode or its build-id differs. Returns the
 * open file, or returns NULL and sets `fault` of the module. */
struct dj_stacks_elf *dj_stacks_maps_open(struct dj_stacks_maps *maps, uint32_t mapping);

/* Converts an address in the process to an address in the module's file (elf.h). Opens
 * the module. Returns false if the module is not an ELF file that can be read. */
bool dj_stacks_maps_file_address(struct dj_stacks_maps *maps, uint32_t mapping,
                                 uint64_t address, uint64_t *file_address);

#endif
