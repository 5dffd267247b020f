#include "stacks/names.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_elf.h"
#include "stacks/names/perf_map.h"

enum { PID = 0x7ffffff0, BASE = 0x400000 };

static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
static const struct made_frame frames[] = {{0x200, 0x40, initial, 0},
                                           {0x300, 0x40, initial, 0}};
static const struct made_symbol symbols[] = {{"draw@LIB_1.0", 0x200, 0x40, STB_GLOBAL}};

static char path[] = "/tmp/dejank-names-XXXXXX";
static char folder[] = "/tmp/dejank-names-debug-XXXXXX";
static struct dj_stacks_maps *maps;

static void write_made(const char *to, bool has_symbols, uint8_t build_id)
{
    static struct made_elf made;
    const struct made_elf_plan plan = {.machine = EM_X86_64,
                                       .augmentation = "zR",
                                       .initial = initial,
                                       .initial_size = sizeof(initial),
                                       .frames = frames,
                                       .frame_count = COUNT_OF(frames),
                                       .symbols = symbols,
                                       .symbol_count = has_symbols,
                                       .has_header = true,
                                       .build_id = build_id};
    made_elf_build(&made, &plan);
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    close(fd);
}

static void create(void)
{
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    cr_assert_not_null(mkdtemp(folder));
    maps = dj_stacks_maps_create();
    dj_stacks_maps_add(maps,
                       &(struct dj_stacks_new_mapping){
                           .pid = PID, .start = BASE, .size = 0x2000, .path = path});
}

static void destroy(void)
{
    dj_stacks_maps_destroy(maps);
    unlink(path);
    rmdir(folder);
}

TestSuite(names, .init = create, .fini = destroy);

static void expect_start(const struct dj_stacks_name *name)
{
    char expected[100];
    snprintf(expected, sizeof(expected), "%s!0x300", path + 5);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_START);
    cr_expect_str_eq(name->text, expected);
    cr_expect_eq(name->start, 0x300);
    cr_expect_null(name->symbol);
}

Test(names, names_by_symbol_then_by_start_then_by_module)
{
    char expected[100];
    write_made(path, true, 0x11);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, NULL);
    const struct dj_stacks_name *name = dj_stacks_names_find(names, 0, BASE + 0x210);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_SYMBOL);
    cr_expect_str_eq(name->text, "draw");
    cr_expect_str_eq(name->path, path);
    cr_expect_str_eq(name->module, path + 5);
    cr_expect_eq(name->build_id.bytes[19], 0x11);
    cr_expect_eq(name, dj_stacks_names_find(names, 0, BASE + 0x23f), "one function");
    expect_start(dj_stacks_names_find(names, 0, BASE + 0x33f));
    name = dj_stacks_names_find(names, 0, BASE + 0x340);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_MODULE);
    snprintf(expected, sizeof(expected), "%s!0x340", path + 5);
    cr_expect_str_eq(name->text, expected);
    name = dj_stacks_names_find(names, DJ_STACKS_NO_MAPPING, 0x123);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_NONE);
    cr_expect_str_eq(name->text, "0x123");
    dj_stacks_names_destroy(names);
}

Test(names, a_debug_file_names_a_stripped_function)
{
    char debug[300], parent[200];
    static const struct made_symbol more[] = {{"hidden", 0x300, 0x40, STB_LOCAL}};
    static struct made_elf made;
    const struct made_elf_plan plan = {.machine = EM_X86_64,
                                       .augmentation = "zR",
                                       .initial = initial,
                                       .initial_size = sizeof(initial),
                                       .symbols = more,
                                       .symbol_count = 1,
                                       .build_id = 0x11};
    write_made(path, false, 0x11);
    snprintf(parent, sizeof(parent), "%s/11", folder);
    snprintf(debug, sizeof(debug), "%s/11111111111111111111111111111111111111.debug",
             parent);
    cr_assert_eq(mkdir(parent, 0700), 0);
    made_elf_build(&made, &plan);
    int fd = open(debug, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_eq(write(fd, made.bytes, made.size), (ssize_t)made.size);
    close(fd);
    struct dj_stacks_debug_files *files = dj_stacks_debug_files_create();
    cr_assert_eq(dj_stacks_debug_files_add(files, folder, NULL), 0);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, files);
    cr_expect_str_eq(dj_stacks_names_find(names, 0, BASE + 0x310)->text, "hidden");
    cr_expect_eq(dj_stacks_names_find(names, 0, BASE + 0x210)->kind,
                 DJ_STACKS_NAME_START);
    dj_stacks_names_destroy(names);
    dj_stacks_debug_files_destroy(files);
    unlink(debug);
    rmdir(parent);
}

Test(names, a_recorded_function_is_named_only_with_its_build_id)
{
    struct dj_stacks_build_id id = {.length = 20};
    memset(id.bytes, 0x11, 20);
    write_made(path, true, 0x11);
    struct dj_stacks_names *names = dj_stacks_names_create(NULL, NULL);
    cr_expect_str_eq(dj_stacks_names_find_in_file(names, path, &id, 0x210)->text, "draw");
    expect_start(dj_stacks_names_find_in_file(names, path, &id, 0x310));
    id.bytes[0] = 0x12;
    const struct dj_stacks_name *name =
        dj_stacks_names_find_in_file(names, path, &id, 0x210);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_MODULE, "the file was upgraded");
    id.length = 0;
    name = dj_stacks_names_find_in_file(names, path, &id, 0x210);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_MODULE, "nothing is known of the file");
    dj_stacks_names_destroy(names);
}

Test(names, a_missing_file_still_gives_offsets)
{
    unlink(path);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, NULL);
    const struct dj_stacks_name *name = dj_stacks_names_find(names, 0, BASE + 0x210);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_MODULE);
    cr_expect_eq(name->start, 0x210);
    dj_stacks_names_destroy(names);
}

/* ---- perf maps ---- */

static struct dj_perf_map parse(const char *text)
{
    struct dj_perf_map map;
    dj_perf_map_parse(&map, strdup(text), strlen(text));
    return map;
}

Test(perf_map, finds_the_function_that_contains_the_address)
{
    struct dj_perf_map map = parse("2000 10 second\n1000 20 first with spaces\n");
    cr_assert_eq(map.count, 2);
    cr_expect_null(dj_perf_map_find(&map, 0xfff));
    cr_expect_str_eq(dj_perf_map_find(&map, 0x101f)->name, "first with spaces");
    cr_expect_null(dj_perf_map_find(&map, 0x1020));
    cr_expect_str_eq(dj_perf_map_find(&map, 0x2000)->name, "second");
    dj_perf_map_finish(&map);
}

Test(perf_map, a_later_line_replaces_an_earlier_one)
{
    struct dj_perf_map map = parse("1000 20 old\n1000 20 new");
    cr_expect_str_eq(dj_perf_map_find(&map, 0x1000)->name, "new");
    dj_perf_map_finish(&map);
}

Test(perf_map, skips_damaged_lines)
{
    struct dj_perf_map map = parse("\nxyz\n1000\n1000 20\n1000 20 \n1000 0 empty\n"
                                   "ffffffffffffffff 20 overflow\n"
                                   "fffffffffffffffffffff 20 too many digits\n"
                                   "3000 8 good\n");
    cr_assert_eq(map.count, 1);
    cr_expect_str_eq(map.rows[0].name, "good");
    dj_perf_map_finish(&map);
    map = parse("");
    cr_expect_eq(map.count, 0);
    dj_perf_map_finish(&map);
}

Test(names, a_jit_is_named_by_its_perf_map)
{
    char map_path[64];
    pid_t pid = getpid();
    snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", (int)pid);
    FILE *file = fopen(map_path, "w");
    cr_assert_not_null(file);
    fputs("900100 40 render\n", file);
    fclose(file);
    dj_stacks_maps_add(
        maps, &(struct dj_stacks_new_mapping){
                  .pid = pid, .start = 0x900000, .size = 0x1000, .path = "//anon"});
    uint32_t number = dj_stacks_maps_find(maps, pid, 0x900110);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, NULL);
    const struct dj_stacks_name *name = dj_stacks_names_find(names, number, 0x900110);
    cr_expect_eq(name->kind, DJ_STACKS_NAME_JIT);
    cr_expect_str_eq(name->text, "render");
    cr_expect_eq(dj_stacks_names_find(names, number, 0x900200)->kind,
                 DJ_STACKS_NAME_MODULE);
    dj_stacks_names_destroy(names);
    unlink(map_path);
}
