#include "stacks/elf.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_elf.h"

static struct dj_error err;

/* def_cfa rsp 8; offset ra cfa−8 */
static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};

static const struct made_frame frames[] = {
    {0x200, 0x40, initial, 0}, {0x240, 0x10, initial, 0}, {0x300, 0x100, initial, 0}};

static const struct made_symbol symbols[] = {
    {"outer", 0x300, 0x100, STB_GLOBAL},       {"inner", 0x320, 0x10, STB_LOCAL},
    {"__first", 0x200, 0x40, STB_GLOBAL},      {"first", 0x200, 0x40, STB_GLOBAL},
    {"_local_first", 0x200, 0x40, STB_LOCAL},  {"sizeless", 0x240, 0, STB_GLOBAL},
    {"endless", 0x500, UINT64_MAX, STB_GLOBAL}};

static struct made_elf_plan make_plan(void)
{
    return (struct made_elf_plan){.machine = EM_X86_64,
                                  .augmentation = "zR",
                                  .initial = initial,
                                  .initial_size = sizeof(initial),
                                  .frames = frames,
                                  .frame_count = COUNT_OF(frames),
                                  .symbols = symbols,
                                  .symbol_count = COUNT_OF(symbols),
                                  .has_header = true,
                                  .build_id = 0xab};
}

static struct dj_stacks_elf *open_made(const struct made_elf_plan *plan)
{
    static struct made_elf made;
    struct dj_stacks_elf *elf = NULL;
    made_elf_build(&made, plan);
    cr_assert_eq(dj_stacks_elf_open_bytes(made.bytes, made.size, &elf, &err), 0, "%s",
                 err.message);
    return elf;
}

static const char *find_symbol(struct dj_stacks_elf *elf, uint64_t address)
{
    struct dj_stacks_function function = {0};
    return dj_stacks_elf_find_symbol(elf, address, &function) ? function.symbol : "";
}

Test(elf, finds_only_symbols_that_contain_the_address)
{
    struct made_elf_plan plan = make_plan();
    struct dj_stacks_elf *elf = open_made(&plan);
    cr_expect_str_eq(find_symbol(elf, 0x1ff), "");
    cr_expect_str_eq(find_symbol(elf, 0x23f), "first", "not __first or _local_first");
    cr_expect_str_eq(find_symbol(elf, 0x240), "", "a symbol without a size is not used");
    cr_expect_str_eq(find_symbol(elf, 0x300), "outer");
    cr_expect_str_eq(find_symbol(elf, 0x32f), "inner");
    cr_expect_str_eq(find_symbol(elf, 0x330), "outer", "after the inner symbol");
    cr_expect_str_eq(find_symbol(elf, 0x400), "");
    cr_expect_str_eq(find_symbol(elf, 0x600), "", "the size overflows");
    dj_stacks_elf_close(elf);
}

static void check_ranges(const struct made_elf_plan *plan)
{
    struct dj_stacks_elf *elf = open_made(plan);
    struct dj_stacks_function function;
    cr_expect_not(dj_stacks_elf_find_range(elf, 0x1ff, &function));
    cr_assert(dj_stacks_elf_find_range(elf, 0x200, &function));
    cr_expect_eq(function.start, 0x200);
    cr_expect_eq(function.end, 0x240);
    cr_expect_null(function.symbol);
    cr_assert(dj_stacks_elf_find_range(elf, 0x24f, &function));
    cr_expect_eq(function.start, 0x240);
    cr_expect_not(dj_stacks_elf_find_range(elf, 0x250, &function), "between functions");
    cr_assert(dj_stacks_elf_find_range(elf, 0x3ff, &function));
    cr_expect_eq(function.start, 0x300);
    cr_expect_not(dj_stacks_elf_find_range(elf, 0x400, &function));
    cr_expect_not(dj_stacks_elf_find_range(elf, UINT64_MAX, &function));
    dj_stacks_elf_close(elf);
}

Test(elf, finds_functions_with_and_without_the_sorted_table)
{
    struct made_elf_plan plan = make_plan();
    check_ranges(&plan);
    plan.has_header = false;
    check_ranges(&plan);
}

Test(elf, reads_machine_and_build_id)
{
    struct made_elf_plan plan = make_plan();
    char text[DJ_STACKS_BUILD_ID_TEXT];
    plan.machine = EM_AARCH64;
    struct dj_stacks_elf *elf = open_made(&plan);
    cr_expect_eq(dj_stacks_elf_machine(elf), DJ_STACKS_ARM64);
    dj_stacks_build_id_format(dj_stacks_elf_build_id(elf), text);
    cr_expect_str_eq(text, "abababababababababababababababababababab");
    dj_stacks_elf_close(elf);
    plan.build_id = 0;
    elf = open_made(&plan);
    dj_stacks_build_id_format(dj_stacks_elf_build_id(elf), text);
    cr_expect_str_eq(text, "");
    cr_expect_not(dj_stacks_build_id_equal(dj_stacks_elf_build_id(elf),
                                           dj_stacks_elf_build_id(elf)),
                  "two unknown files need not be equal");
    dj_stacks_elf_close(elf);
}

Test(elf, converts_offsets_and_reads_bytes)
{
    static const uint8_t code[] = {1, 2, 3, 4};
    struct made_elf_plan plan = make_plan();
    uint64_t address;
    uint8_t bytes[4];
    plan.code = code;
    plan.code_at = 0x800;
    plan.code_size = sizeof(code);
    struct dj_stacks_elf *elf = open_made(&plan);
    cr_assert(dj_stacks_elf_find_address(elf, 0x345, &address));
    cr_expect_eq(address, 0x345);
    cr_expect_not(dj_stacks_elf_find_address(elf, 1 << 20, &address));
    cr_assert(dj_stacks_elf_read(elf, 0x800, bytes, sizeof(bytes)));
    cr_expect_arr_eq(bytes, code, sizeof(code));
    cr_expect_not(dj_stacks_elf_read(elf, 1 << 20, bytes, sizeof(bytes)));
    cr_expect_not(dj_stacks_elf_read(elf, UINT64_MAX - 1, bytes, sizeof(bytes)));
    dj_stacks_elf_close(elf);
}

/* A damaged file gives an error or less information, and ASan sees no wrong read. */
Test(elf, survives_every_truncation_and_changed_byte)
{
    static struct made_elf made;
    struct made_elf_plan plan = make_plan();
    struct dj_stacks_elf *elf;
    struct dj_stacks_function function;
    made_elf_build(&made, &plan);
    for (size_t i = 0; i < 2 * made.size; i++) {
        size_t at = i / 2;
        bool truncates = i % 2 == 0;
        if (at > 0xf0 && at < 0x1000) {
            continue; /* Nothing is there. */
        }
        uint8_t byte = made.bytes[at];
        made.bytes[at] = truncates ? byte : (uint8_t)~byte;
        if (dj_stacks_elf_open_bytes(made.bytes, truncates ? at : made.size, &elf,
                                     NULL) == 0) {
            for (uint64_t address = 0x1f0; address < 0x400; address += 0x10) {
                dj_stacks_elf_find_symbol(elf, address, &function);
                dj_stacks_elf_find_range(elf, address, &function);
            }
            dj_stacks_elf_close(elf);
        }
        made.bytes[at] = byte;
    }
}

Test(elf, says_why_a_file_cannot_be_used)
{
    struct dj_stacks_elf *elf;
    struct made_elf_plan plan = make_plan();
    static struct made_elf made;
    cr_expect_eq(dj_stacks_elf_open("/nonexistent", &elf, &err), DJ_E_NOT_FOUND);
    cr_expect_str_eq(err.message, "/nonexistent: No such file or directory");
    cr_expect_eq(dj_stacks_elf_open("/dev/null", &elf, &err), DJ_E_IO);
    cr_expect_str_eq(err.message, "/dev/null: not a regular file");
    cr_expect_eq(dj_stacks_elf_open_bytes("#!/bin/sh", 9, &elf, &err), DJ_E_INVALID);
    cr_expect_str_eq(err.message, "not an ELF file: it is smaller than an ELF header");
    plan.machine = EM_386;
    made_elf_build(&made, &plan);
    cr_expect_eq(dj_stacks_elf_open_bytes(made.bytes, made.size, &elf, &err),
                 DJ_E_UNSUPPORTED);
    cr_expect_str_eq(err.message, "an ELF file of machine 3; expected x86-64 or arm64");
    memset(made.bytes, 'x', 100);
    cr_expect_eq(dj_stacks_elf_open_bytes(made.bytes, made.size, &elf, &err),
                 DJ_E_INVALID);
    cr_expect_str_eq(err.message, "not an ELF file");
    cr_expect_null(elf);
}

Test(elf, reads_the_file_of_this_program)
{
    struct dj_stacks_elf *elf;
    cr_assert_eq(dj_stacks_elf_open("/proc/self/exe", &elf, &err), 0, "%s", err.message);
    cr_expect_eq(dj_stacks_elf_machine(elf), DJ_STACKS_THIS_MACHINE);
    dj_stacks_elf_close(elf);
}

/* Writes a made file, and opens it. */
static struct dj_stacks_elf *open_written(char *path)
{
    static struct made_elf made;
    struct made_elf_plan plan = make_plan();
    struct dj_stacks_elf *elf = NULL;
    int fd = mkstemp(path);
    made_elf_build(&made, &plan);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    close(fd);
    cr_assert_eq(dj_stacks_elf_open(path, &elf, &err), 0, "%s", err.message);
    return elf;
}

static int find_free_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(fd);
    return fd;
}

Test(elf, open_files_need_no_descriptors_and_may_be_deleted)
{
    enum { FILES = 20 };
    struct dj_stacks_elf *all[FILES];
    char path[FILES][40];
    int before = 0;
    for (int i = 0; i < FILES; i++) {
        snprintf(path[i], sizeof(path[i]), "/tmp/dejank-elf-XXXXXX");
        all[i] = open_written(path[i]);
        unlink(path[i]);
        before = i == 0 ? find_free_descriptor() : before;
    }
    cr_expect_eq(find_free_descriptor(), before);
    for (int i = 0; i < FILES; i++) {
        cr_expect_str_eq(find_symbol(all[i], 0x200), "first");
        dj_stacks_elf_close(all[i]);
    }
}

Test(elf, a_file_that_is_truncated_later_is_no_signal)
{
    char path[] = "/tmp/dejank-elf-XXXXXX";
    uint8_t byte;
    struct dj_stacks_elf *elf = open_written(path);
    cr_expect(dj_stacks_elf_read(elf, 0x200, &byte, 1));
    cr_assert_eq(truncate(path, 0), 0);
    cr_expect_not(dj_stacks_elf_read(elf, 0x200, &byte, 1));
    cr_expect_str_eq(find_symbol(elf, 0x200), "");
    dj_stacks_elf_close(elf);
    unlink(path);
}
