#include "stacks/maps.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_elf.h"
#include "stacks/maps_private.h"

static struct dj_error err;
static struct dj_stacks_maps *maps;

static void create_maps(void)
{
    maps = dj_stacks_maps_create();
}

static void destroy_maps(void)
{
    dj_stacks_maps_destroy(maps);
}

TestSuite(maps, .init = create_maps, .fini = destroy_maps);

static void add(pid_t pid, uint64_t start, uint64_t size, uint64_t file_offset,
                const char *path)
{
    dj_stacks_maps_add(maps, &(struct dj_stacks_new_mapping){.pid = pid,
                                                             .start = start,
                                                             .size = size,
                                                             .file_offset = file_offset,
                                                             .path = path});
}

/* The path of the module that is mapped at an address, or "none". */
static const char *path_at(pid_t pid, uint64_t address)
{
    uint32_t number = dj_stacks_maps_find(maps, pid, address);
    return number == DJ_STACKS_NO_MAPPING
               ? "none"
               : dj_stacks_maps_module(maps, dj_stacks_maps_get(maps, number)->module)
                     ->path;
}

/* Maps a build of "/a" in process 1 and returns the number of its module. */
static uint32_t map_build(const struct dj_stacks_build_id *id)
{
    dj_stacks_maps_add(
        maps,
        &(struct dj_stacks_new_mapping){
            .pid = 1, .start = 0x1000, .size = 0x1000, .path = "/a", .build_id = id});
    return dj_stacks_maps_get(maps, dj_stacks_maps_find(maps, 1, 0x1000))->module;
}

Test(maps, each_build_of_a_path_is_a_module)
{
    enum { BUILDS = 20000 };
    struct dj_stacks_build_id id = {.length = 8};
    for (uint32_t i = 0; i < BUILDS; i++) {
        memcpy(id.bytes, &i, sizeof(i));
        cr_assert_eq(map_build(&id), i);
    }
    cr_expect_eq(map_build(NULL), 0, "an unknown build is the first one");
    cr_expect_eq(map_build(&id), BUILDS - 1);
    cr_expect_eq(dj_stacks_maps_module_count(maps), BUILDS);
}

Test(maps, files_with_one_path_on_several_devices_have_different_keys)
{
    enum { FILES = 64 };
    for (uint64_t i = 0; i < FILES; i++) {
        dj_stacks_maps_add(
            maps, &(struct dj_stacks_new_mapping){.pid = 1,
                                                  .start = 0x1000 * i,
                                                  .size = 0x1000,
                                                  .device = i,
                                                  .inode = i % 2 == 0 ? 5 : i ^ 5,
                                                  .path = "/a"});
    }
    cr_assert_eq(dj_stacks_maps_module_count(maps), FILES);
    for (size_t i = 0; i < maps->module_index.capacity; i++) {
        const struct dj_map_slot *slot = &maps->module_index.slots[i];
        size_t at = i;
        cr_expect(slot->value == DJ_MAP_NONE ||
                  dj_map_next(&maps->module_index, slot->key, &at) == DJ_MAP_NONE);
    }
}

Test(maps, finds_the_mapping_of_an_address)
{
    add(1, 0x3000, 0x1000, 0, "/c");
    add(1, 0x1000, 0x1000, 0, "/a");
    add(1, 0x2000, 0x1000, 0, "/b");
    cr_expect_str_eq(path_at(1, 0xfff), "none");
    cr_expect_str_eq(path_at(1, 0x1000), "/a");
    cr_expect_str_eq(path_at(1, 0x2fff), "/b");
    cr_expect_str_eq(path_at(1, 0x3000), "/c");
    cr_expect_str_eq(path_at(1, 0x4000), "none");
    cr_expect_str_eq(path_at(2, 0x1000), "none", "an unknown process");
}

Test(maps, replaces_what_a_new_mapping_covers)
{
    add(1, 0x1000, 0x5000, 0, "/old");
    add(1, 0x2000, 0x1000, 0, "/middle");
    cr_expect_str_eq(path_at(1, 0x1fff), "/old");
    cr_expect_str_eq(path_at(1, 0x2000), "/middle");
    cr_expect_str_eq(path_at(1, 0x3000), "/old", "the rest is still mapped");
    add(1, 0x800, 0x2000, 0, "/start");
    cr_expect_str_eq(path_at(1, 0x1000), "/start");
    cr_expect_str_eq(path_at(1, 0x2800), "/middle");
    add(1, 0, 0x10000, 0, "/all");
    cr_expect_str_eq(path_at(1, 0x2800), "/all");
    cr_expect_str_eq(path_at(1, 0x5fff), "/all");
}

Test(maps, numbers_stay_valid)
{
    add(1, 0x1000, 0x1000, 0x100, "/a");
    uint32_t number = dj_stacks_maps_find(maps, 1, 0x1000);
    add(1, 0x1000, 0x1000, 0, "/b");
    cr_expect_eq(dj_stacks_maps_get(maps, number)->file_offset, 0x100);
    cr_expect_neq(dj_stacks_maps_find(maps, 1, 0x1000), number);
}

Test(maps, repeated_mappings_are_one)
{
    add(1, 0x1000, 0x1000, 0, "/a");
    add(1, 0x1000, 0x1000, 0, "/a");
    cr_expect_eq(dj_stacks_maps_count(maps), 1);
    add(1, 0x1000, 0x1000, 0x1000, "/a");
    cr_expect_eq(dj_stacks_maps_count(maps), 2, "another part of the file");
    add(2, 0x1000, 0x1000, 0, "/a");
    cr_expect_eq(dj_stacks_maps_module_count(maps), 1, "one file in two processes");
}

Test(maps, refuses_impossible_mappings)
{
    add(1, 0x1000, 0, 0, "/empty");
    add(1, UINT64_MAX - 10, 100, 0, "/overflow");
    cr_expect_eq(dj_stacks_maps_count(maps), 0);
}

Test(maps, follows_fork_exec_and_exit)
{
    add(1, 0x1000, 0x1000, 0, "/parent");
    add(1, 0x5000, 0x1000, 0, "//anon");
    dj_stacks_maps_fork(maps, 1, 2);
    cr_expect_str_eq(path_at(2, 0x1000), "/parent");
    uint32_t of_parent = dj_stacks_maps_find(maps, 1, 0x5000);
    uint32_t of_child = dj_stacks_maps_find(maps, 2, 0x5000);
    cr_expect_eq(dj_stacks_maps_get(maps, of_parent)->pid, 1);
    cr_expect_eq(dj_stacks_maps_get(maps, of_child)->pid, 2,
                 "a JIT's code has a perf map for each process");
    dj_stacks_maps_exec(maps, 2);
    cr_expect_str_eq(path_at(2, 0x1000), "none");
    cr_expect_str_eq(path_at(1, 0x1000), "/parent");
    add(2, 0x1000, 0x1000, 0, "/child");
    dj_stacks_maps_exit(maps, 1);
    cr_expect_str_eq(path_at(1, 0x1000), "none");
    cr_expect_str_eq(path_at(2, 0x1000), "/child");
    dj_stacks_maps_fork(maps, 99, 3);
    cr_expect_str_eq(path_at(3, 0x1000), "none", "the parent is unknown");
}

Test(maps, knows_code_without_a_file)
{
    static const char *const paths[] = {
        "", "//anon", "[heap]", "/memfd:jit (deleted)", "/dev/zero", "/SYSV00000000"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        add(1, 0x1000 * (i + 1), 0x1000, 0, paths[i]);
        uint32_t number = dj_stacks_maps_find(maps, 1, 0x1000 * (i + 1));
        uint32_t module = dj_stacks_maps_get(maps, number)->module;
        cr_expect_eq(dj_stacks_maps_module(maps, module)->kind, DJ_STACKS_ANONYMOUS);
        cr_expect_null(dj_stacks_maps_open(maps, number));
        cr_expect_str_eq(dj_stacks_maps_module(maps, module)->fault,
                         "the code is in no file");
    }
}

/* The code of this program, and its vdso. */
Test(maps, reads_this_process)
{
    uint64_t address;
    cr_assert_eq(dj_stacks_maps_read(maps, getpid(), &err), 0, "%s", err.message);
    uint32_t number =
        dj_stacks_maps_find(maps, getpid(), (uint64_t)(uintptr_t)&create_maps);
    cr_assert_neq(number, DJ_STACKS_NO_MAPPING);
    cr_assert_not_null(dj_stacks_maps_open(maps, number));
    cr_expect(dj_stacks_maps_file_address(maps, number, (uint64_t)(uintptr_t)&create_maps,
                                          &address));
    cr_expect_eq(dj_stacks_maps_read(maps, 0x7fffffff, &err), DJ_E_NOT_FOUND);
}

Test(maps, reads_the_vdso_from_memory)
{
    uint64_t start = getauxval(AT_SYSINFO_EHDR);
    if (start == 0) {
        cr_skip_test("this system has no vdso");
    }
    cr_assert_eq(dj_stacks_maps_read(maps, getpid(), &err), 0, "%s", err.message);
    uint32_t number = dj_stacks_maps_find(maps, getpid(), start);
    cr_assert_neq(number, DJ_STACKS_NO_MAPPING);
    cr_expect_str_eq(path_at(getpid(), start), "[vdso]");
    cr_assert_not_null(dj_stacks_maps_open(maps, number));
}

/* ---- files that change ---- */

static char path[] = "/tmp/dejank-maps-XXXXXX";
static struct made_elf made;

static uint64_t write_made(uint8_t build_id)
{
    static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
    const struct made_elf_plan plan = {.machine = EM_X86_64,
                                       .augmentation = "zR",
                                       .initial = initial,
                                       .initial_size = sizeof(initial),
                                       .build_id = build_id};
    struct stat status;
    char fresh[sizeof(path) + 4];
    made_elf_build(&made, &plan);
    snprintf(fresh, sizeof(fresh), "%s.new", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    cr_assert_eq(fstat(fd, &status), 0);
    close(fd);
    cr_assert_eq(rename(fresh, path), 0);
    return status.st_ino;
}

static const struct dj_stacks_module *open_mapped(uint64_t inode, uint8_t build_id)
{
    struct dj_stacks_build_id id = {.length = 20};
    memset(id.bytes, build_id, 20);
    dj_stacks_maps_add(
        maps, &(struct dj_stacks_new_mapping){.pid = 0x7ffffffe,
                                              .start = 0x1000,
                                              .size = 0x4000,
                                              .inode = inode,
                                              .path = path,
                                              .build_id = build_id == 0 ? NULL : &id});
    uint32_t number = dj_stacks_maps_find(maps, 0x7ffffffe, 0x1000);
    dj_stacks_maps_open(maps, number);
    return dj_stacks_maps_module(maps, dj_stacks_maps_get(maps, number)->module);
}

Test(maps, does_not_use_a_file_that_was_replaced)
{
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    uint64_t inode = write_made(0x11);
    cr_expect_not_null(open_mapped(inode, 0)->elf);
    uint64_t new_inode = write_made(0x22);
    cr_assert_neq(inode, new_inode);
    const struct dj_stacks_module *module = open_mapped(inode + 1000, 0);
    cr_expect_null(module->elf);
    cr_expect_str_eq(module->fault, "the file was replaced by another one");
    cr_expect_null(open_mapped(new_inode, 0x11)->elf, "the build-id differs");
    cr_expect_not_null(open_mapped(inode, 0x22)->elf, "the build-id is the same");
    unlink(path);
    module = open_mapped(inode + 2000, 0);
    cr_expect_str_eq(module->fault, "the file does not exist any more");
    close(fd);
}
