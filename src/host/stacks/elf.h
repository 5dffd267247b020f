/*
 * stacks: unwinds sampled stacks of other programs and names their functions. This module
 * does not capture samples (capture) and does not rank functions (triage).
 *
 *   elf.h          reads ELF files: build-id, segments, symbols, unwind information
 *   debug_files.h  finds the files that contain the symbols of stripped files
 *   lines.h        source lines and inlined functions of addresses
 *   maps.h         which file was mapped where, in each process, while a capture runs
 *   unwind.h       converts registers and a copy of the stack to addresses
 *   names.h        names the function of an address
 *
 * All input is untrusted: damaged files and stacks give no result, never a crash. Each
 * object may be used by one thread at a time.
 *
 * This header: one ELF file for x86-64 or arm64. Addresses are those that the file itself
 * uses, as nm and readelf print them. Code that is mapped into a process has other
 * addresses (maps.h).
 */
#ifndef DEJANK_STACKS_ELF_H
#define DEJANK_STACKS_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Longest build-id that is stored. GNU ld writes 20 bytes, lld 8 or 20. */
enum { DJ_STACKS_BUILD_ID_MAX = 32 };

/* A build-id, which identifies the content of a file. A `length` of 0 means that the file
 * has no build-id. */
struct dj_stacks_build_id {
    uint8_t bytes[DJ_STACKS_BUILD_ID_MAX];
    uint8_t length;
};

/* Size of a buffer for dj_stacks_build_id_format(). */
enum { DJ_STACKS_BUILD_ID_TEXT = 2 * DJ_STACKS_BUILD_ID_MAX + 1 };

/* Writes the build-id as lower-case hexadecimal text, or "" if there is none. */
void dj_stacks_build_id_format(const struct dj_stacks_build_id *id,
                               char text[DJ_STACKS_BUILD_ID_TEXT]);
/* Returns true if both files have a build-id and these are the same. */
bool dj_stacks_build_id_equal(const struct dj_stacks_build_id *one,
                              const struct dj_stacks_build_id *other);

enum dj_stacks_machine { DJ_STACKS_X86_64, DJ_STACKS_ARM64, DJ_STACKS_MACHINES };

/* The type of the machine for which this program was compiled. */
#if defined(__aarch64__)
#define DJ_STACKS_THIS_MACHINE DJ_STACKS_ARM64
#else
#define DJ_STACKS_THIS_MACHINE DJ_STACKS_X86_64
#endif

struct dj_stacks_elf;

/* Opens an ELF file. The file stays mapped until dj_stacks_elf_close(), so it may be
 * deleted or replaced meanwhile, and uses no descriptor. A file that is truncated later
 * causes no signal, because headers and unwind information are read into memory. Returns
 * 0, DJ_E_NOT_FOUND, DJ_E_IO, DJ_E_INVALID for a damaged file, or DJ_E_UNSUPPORTED for an
 * ELF file of another machine. */
int dj_stacks_elf_open(const char *path, struct dj_stacks_elf **elf,
                       struct dj_error *err);
/* Like dj_stacks_elf_open(), for a file in memory, such as the vdso. The bytes are
 * copied. */
int dj_stacks_elf_open_bytes(const void *bytes, size_t size, struct dj_stacks_elf **elf,
                             struct dj_error *err);
/* Reads only the headers of a file. Sets *id to its build-id, and *has_symbols to true if
 * it has a symbol table that stripping removes. Returns false if it is not an ELF file
 * that dj_stacks_elf_open() can open. */
bool dj_stacks_elf_identify(const char *path, struct dj_stacks_build_id *id,
                            bool *has_symbols);
/* Closes the file. `elf` may be NULL. */
void dj_stacks_elf_close(struct dj_stacks_elf *elf);

enum dj_stacks_machine dj_stacks_elf_machine(const struct dj_stacks_elf *elf);
const struct dj_stacks_build_id *dj_stacks_elf_build_id(const struct dj_stacks_elf *elf);
/* Returns the path with which the file was opened, or NULL for a file in memory. */
const char *dj_stacks_elf_path(const struct dj_stacks_elf *elf);

/* Converts an offset in the file to an address. Only loaded segments have addresses.
 * Returns false if no segment contains the offset. */
bool dj_stacks_elf_find_address(const struct dj_stacks_elf *elf, uint64_t file_offset,
                                uint64_t *address);

/* A function of a file. */
struct dj_stacks_function {
    /* Name as the linker knows it, or NULL if only the unwind information knows the
     * function. Valid until the file is closed. */
    const char *symbol;
    /* Range of addresses: the function contains `start` but not `end`. */
    uint64_t start, end;
};

/* Finds the symbol that contains the address inside its size. A symbol that only is the
 * nearest one is never returned. Of several symbols at the same place, prefers a global
 * one, and then the one with fewer leading underscores. Reads .symtab, or .dynsym if
 * there is none, and .gnu_debugdata (compressed symbols), at the first call. */
bool dj_stacks_elf_find_symbol(struct dj_stacks_elf *elf, uint64_t address,
                               struct dj_stacks_function *function);
/* Finds the function that contains the address in the unwind information (its FDE).
 * `symbol` becomes NULL. The parts of a function that a compiler moved away (.cold)
 * are functions of their own. */
bool dj_stacks_elf_find_range(struct dj_stacks_elf *elf, uint64_t address,
                              struct dj_stacks_function *function);

/* Copies the bytes at an address of the file. Returns false if the loaded segments do not
 * contain all of these bytes. */
bool dj_stacks_elf_read(const struct dj_stacks_elf *elf, uint64_t address, void *bytes,
                        size_t size);

#endif
