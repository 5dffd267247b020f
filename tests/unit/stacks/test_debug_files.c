/* Tests the search for debug files, in a folder that each test creates. */
#include "stacks/debug_files.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_elf.h"

static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
static const struct made_symbol symbols[] = {{"draw", 0x200, 0x40, STB_GLOBAL}};

static char folder[] = "/tmp/dejank-debug-XXXXXX";
static struct dj_stacks_debug_files *files;
static struct dj_stacks_build_id id = {.length = 20};

static void create(void)
{
    cr_assert_not_null(mkdtemp(folder));
    memset(id.bytes, 0xab, 20);
    files = dj_stacks_debug_files_create();
}

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void destroy(void)
{
    dj_stacks_debug_files_destroy(files);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TestSuite(debug_files, .init = create, .fini = destroy);

/* Writes an ELF file to a path below the folder. Creates the folders of the path. */
static void write_made(const char *name, uint8_t build_id, bool has_symbols)
{
    static struct made_elf made;
    char path[300];
    const struct made_elf_plan plan = {.machine = EM_X86_64,
                                       .augmentation = "zR",
                                       .initial = initial,
                                       .initial_size = sizeof(initial),
                                       .symbols = symbols,
                                       .symbol_count = has_symbols,
                                       .build_id = build_id};
    int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
    for (int i = (int)sizeof(folder); i < length; i++) {
        if (path[i] == '/') {
            path[i] = '\0';
            mkdir(path, 0700);
            path[i] = '/';
        }
    }
    made_elf_build(&made, &plan);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    close(fd);
}

static void add_folder(void)
{
    cr_assert_eq(dj_stacks_debug_files_add(files, folder, NULL), 0);
}

/* Expects that the search finds this file below the folder, or nothing if it is NULL. */
static void expect_found(const char *name)
{
    char path[300];
    struct dj_stacks_elf *elf = dj_stacks_debug_files_open(files, &id);
    snprintf(path, sizeof(path), "%s/%s", folder, name == NULL ? "" : name);
    if (name == NULL) {
        cr_expect_null(elf);
    } else {
        cr_assert_not_null(elf);
        cr_expect_str_eq(dj_stacks_elf_path(elf), path);
    }
    dj_stacks_elf_close(elf);
}

#define REST "ababababababababababababababababababab.debug"

Test(debug_files, a_folder_by_build_id)
{
    add_folder();
    write_made("ab/" REST, 0xab, true);
    expect_found("ab/" REST);
    write_made(".build-id/ab/" REST, 0xab, true);
    expect_found(".build-id/ab/" REST);
}

Test(debug_files, a_file_with_another_build_id_is_not_used)
{
    add_folder();
    write_made(".build-id/ab/" REST, 0xac, true);
    expect_found(NULL);
}

Test(debug_files, any_file_of_a_tree_the_one_with_symbols_first)
{
    add_folder();
    write_made("a/stripped", 0xab, false);
    write_made("b/c/unstripped", 0xab, true);
    write_made("other", 0xac, true);
    expect_found("b/c/unstripped");
}

Test(debug_files, a_stripped_file_is_better_than_none)
{
    add_folder();
    write_made("a/stripped", 0xab, false);
    expect_found("a/stripped");
}

Test(debug_files, a_file_instead_of_a_folder)
{
    char path[300];
    struct dj_error err = {0};
    write_made("app", 0xab, true);
    snprintf(path, sizeof(path), "%s/app", folder);
    cr_assert_eq(dj_stacks_debug_files_add(files, path, &err), 0);
    expect_found("app");
    snprintf(path, sizeof(path), "%s/none", folder);
    cr_expect_eq(dj_stacks_debug_files_add(files, path, &err), DJ_E_NOT_FOUND);
}

Test(debug_files, files_that_are_no_elf_files_are_skipped)
{
    char path[300];
    add_folder();
    write_made("app", 0xab, true);
    snprintf(path, sizeof(path), "%s/app", folder);
    cr_assert_eq(truncate(path, 60), 0);
    snprintf(path, sizeof(path), "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_found(NULL);
}

Test(debug_files, folders_that_cannot_be_read_are_listed)
{
    size_t count;
    char path[300];
    snprintf(path, sizeof(path), "%s/gone", folder);
    mkdir(path, 0700);
    cr_assert_eq(dj_stacks_debug_files_add(files, path, NULL), 0);
    add_folder();
    rmdir(path);
    write_made("app", 0xab, true);
    expect_found("app");
    const struct dj_stacks_unreadable *unreadable =
        dj_stacks_debug_files_get_unreadable(files, &count);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(unreadable->path, path);
    cr_expect_eq(unreadable->reason, ENOENT);
    dj_stacks_debug_files_get_unreadable(NULL, &count);
    cr_expect_eq(count, 0);
}

Test(debug_files, names_a_file_of_another_build)
{
    char path[300];
    struct dj_stacks_build_id other;
    add_folder();
    write_made("x/libapp.so.debug", 0xac, true);
    write_made("x/libapp.so.debug.old", 0xad, true);
    const char *found = dj_stacks_debug_files_find_other(files, "libapp.so", &id, &other);
    snprintf(path, sizeof(path), "%s/x/libapp.so.debug", folder);
    cr_expect_str_eq(found, path);
    cr_expect_eq(other.bytes[19], 0xac);
    cr_expect_null(dj_stacks_debug_files_find_other(files, "libapp", &id, &other));
}

Test(debug_files, without_folders_only_the_debug_files_of_the_system_count)
{
    cr_expect_null(dj_stacks_debug_files_open(NULL, &id));
    id.length = 0;
    cr_expect_null(dj_stacks_debug_files_open(files, &id));
}
