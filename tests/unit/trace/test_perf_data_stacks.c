/* Tests stacks of perf.data files that are unwound with made ELF files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../stacks/made_elf.h"
#include "base/count_of.h"
#include "made_perf_data.h"
#include "trace/perf_data/read.h"

enum { PID = 7, MAPPED_AT = 0x10000, STACK_AT = 0x7ff000, ID_BYTES = 20 };

static struct made_perf_data made;
static struct dj_text functions; /* Names of the sample, the innermost first. */
static uint8_t end;              /* End of its stack. */
static char notes[512];          /* One note per line. */
static char path[] = "/tmp/dejank-perf-data-XXXXXX";

static void finish(void)
{
    unlink(path);
    made_perf_data_finish(&made);
    dj_text_finish(&functions);
}

TestSuite(perf_data_stacks, .fini = finish);

/* Writes a file with three functions. leaf calls nothing and saves nothing. middle has
 * the frame record of arm64: stp x29, x30, [sp, -32]! start has no caller. */
static void write_library(void)
{
    static const uint8_t stack_pointer[] = {0x0c, 31, 0}, nothing[] = {0};
    static const uint8_t frame_record[] = {0x0e, 32, 0x9d, 4, 0x9e, 3};
    static const uint8_t no_caller[] = {0x07, 30};
    static const struct made_frame frames[] = {{0x200, 0x80, nothing, 1},
                                               {0x300, 0x80, frame_record, 6},
                                               {0x400, 0x80, no_caller, 2}};
    static const struct made_symbol symbols[] = {{"leaf", 0x200, 0x80, STB_GLOBAL},
                                                 {"middle", 0x300, 0x80, STB_GLOBAL},
                                                 {"start", 0x400, 0x80, STB_GLOBAL}};
    static struct made_elf elf;
    made_elf_build(&elf, &(struct made_elf_plan){.machine = EM_AARCH64,
                                                 .augmentation = "zR",
                                                 .initial = stack_pointer,
                                                 .initial_size = sizeof(stack_pointer),
                                                 .frames = frames,
                                                 .frame_count = COUNT_OF(frames),
                                                 .symbols = symbols,
                                                 .symbol_count = COUNT_OF(symbols),
                                                 .has_header = true,
                                                 .build_id = 0xab});
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, elf.bytes, elf.size), (ssize_t)elf.size);
    close(fd);
}

static void add_machine(const char *name)
{
    struct dj_text *section = made_section(&made, DJ_PERF_DATA_ARCH);
    made_number(section, strlen(name) + 1, 4);
    dj_text_append(section, name, strlen(name) + 1);
}

/* Adds a sample in leaf, which middle called. start called middle. */
static void add_arm64_sample(void)
{
    static const uint64_t words[] = {0, MAPPED_AT + 0x410, 1, 2};
    const uint64_t values[] = {[29] = STACK_AT,
                               [30] = MAPPED_AT + 0x310,
                               [31] = STACK_AT,
                               [32] = MAPPED_AT + 0x210,
                               [33] = 0};
    struct dj_text registers = {0}, stack = {0};
    dj_text_append(&registers, (const char *)values, sizeof(values));
    dj_text_append(&stack, (const char *)words, sizeof(words));
    made_stack_sample(&made, PID, 1000, &registers, &stack);
    dj_text_finish(&registers);
    dj_text_finish(&stack);
}

static int take(void *user, const struct dj_event *event)
{
    (void)user;
    if (event->kind == DJ_EVENT_STACK) {
        end = event->stack->end;
        for (size_t i = 0; i < event->stack->count; i++) {
            struct dj_str name = event->stack->frames[i].function;
            dj_text_format(&functions, "%.*s ", (int)name.length, name.at);
        }
    }
    return 0;
}

/* Reads a file of this machine with one sample, in a library at this path. */
static void read_sample(const char *machine, const char *recorded_path)
{
    /* x0 to x30, sp, pc, and the length of SVE vectors, which newer kernels add. */
    static const uint64_t mask = UINT64_C(0x1ffffffff) | UINT64_C(1) << 46;
    struct dj_perf_data_summary summary = {0};
    char id[ID_BYTES];
    memset(id, 0xab, sizeof(id));
    made.register_mask = mask;
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    made_build_id(made_section(&made, DJ_PERF_DATA_BUILD_IDS), 0, id, sizeof(id),
                  recorded_path);
    add_machine(machine);
    made_mapping(&made, PID, recorded_path);
    add_arm64_sample();
    struct dj_str bytes = made_perf_data_build(&made);
    const struct dj_trace_file mapped = {.bytes = (const uint8_t *)bytes.at,
                                         .size = bytes.length};
    cr_assert_eq(
        dj_perf_data_read(&mapped, (struct dj_event_sink){take, NULL}, &summary, NULL),
        0);
    cr_expect_eq(summary.damaged, 0, "%s", summary.damage);
    size_t length = summary.notes.sentences.length;
    cr_assert_lt(length, sizeof(notes));
    for (size_t i = 0; i < length; i++) {
        char c = summary.notes.sentences.data[i];
        notes[i] = c == '\0' ? '\n' : c;
    }
    dj_text_finish(&summary.notes.sentences);
}

Test(perf_data_stacks, a_stack_of_arm64_is_unwound)
{
    write_library();
    read_sample("aarch64", path);
    cr_expect_str_eq(dj_text_get(&functions), "leaf middle start ");
    cr_expect_eq(end, DJ_STACK_COMPLETE);
}

Test(perf_data_stacks, a_stack_of_another_machine_is_incomplete)
{
    write_library();
    read_sample("riscv64", path);
    cr_expect_str_eq(dj_text_get(&functions), "");
    cr_expect_eq(end, DJ_STACK_INCOMPLETE);
    cr_expect_not_null(strstr(notes, "1 stacks are not unwound: "));
}

/* Perf keeps a link for each build-id. The link leads to a folder that contains the file
 * with the name "elf". */
Test(perf_data_stacks, files_of_another_machine_are_in_the_cache_of_perf)
{
    static const char *const folders[] = {
        "/.debug", "/.debug/.build-id", "/.debug/.build-id/ab",
        "/.debug/.build-id/ab/ababababababababababababababababababab"};
    char home[] = "/tmp/dejank-home-XXXXXX", folder[128], file[160];
    cr_assert_not_null(mkdtemp(home));
    write_library();
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        snprintf(folder, sizeof(folder), "%s%s", home, folders[i]);
        cr_assert_eq(mkdir(folder, 0700), 0);
    }
    snprintf(file, sizeof(file), "%s/elf", folder);
    cr_assert_eq(rename(path, file), 0);
    setenv("HOME", home, 1);
    read_sample("arm64", "/system/lib64/libmissing.so");
    cr_expect_str_eq(dj_text_get(&functions), "leaf middle start ");
    cr_expect_eq(end, DJ_STACK_COMPLETE);
    unlink(file);
    for (size_t i = COUNT_OF(folders); i-- > 0;) {
        snprintf(folder, sizeof(folder), "%s%s", home, folders[i]);
        rmdir(folder);
    }
    rmdir(home);
}
