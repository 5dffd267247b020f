#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segment/select.h"
#include "support.h"

TestSuite(selection, .init = test_setup, .fini = test_teardown);

/* Creates a segment of process `pid`. The run began before frame number `run`, and
 * the newest frame has number `newest`. The process is alive only if `pid` is this
 * process. */
static void create_segment_of_run(int64_t pid, uint64_t run, const char *name,
                                  const char *program, uint64_t newest)
{
    struct dj_segment_writer writer;
    char file[64];
    test_create_named(&writer, name, program, DJ_SEGMENT_KEEP_MIN);
    writer.header->created_ns = 0;
    struct dj_frame first = test_frame(1, run);
    writer.header->run_ns = first.value[DJ_COLUMN_INTENDED_VSYNC];
    writer.header->pid = pid;
    test_write(&writer, 1, newest, newest + 1);
    dj_segment_unmap(&writer);
    snprintf(file, sizeof(file), "%lld.%llu", (long long)pid,
             (unsigned long long)dj_segment_process_start_ticks(getpid()));
    if (pid != getpid()) {
        cr_assert_eq(rename(test_segment(), test_path(file)), 0);
    }
}

/* Creates a segment whose run began with its only frame. */
static void create_segment(int64_t pid, const char *name, const char *program,
                           uint64_t newest)
{
    create_segment_of_run(pid, newest, name, program, newest);
}

struct errors {
    size_t count;
    struct dj_error last;
};

static void add_error(const struct dj_error *err, void *user)
{
    struct errors *errors = user;
    errors->count++;
    errors->last = *err;
}

/* Returns the pids that `wanted` selects, in order, as text: "7 8". */
static const char *pids_of(const char *wanted)
{
    static char text[256];
    struct dj_segment_selection selection = {0};
    struct errors errors = {0};
    size_t length = 0;
    cr_assert_eq(dj_segment_select(wanted, add_error, &errors, &selection, NULL), 0);
    cr_assert_eq(errors.count, 0, "%s", errors.last.message);
    text[0] = '\0';
    for (size_t i = 0; i < selection.count; i++) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%lld",
                                   i > 0 ? " " : "",
                                   (long long)selection.candidates[i].identity.pid);
    }
    dj_segment_selection_finish(&selection);
    return text;
}

enum { DEAD = 2147480000 };

Test(selection, nothing_is_selected_without_segments)
{
    cr_assert_str_eq(pids_of(NULL), "");
    cr_assert_str_eq(pids_of("x"), "");
}

Test(selection, the_most_recently_used_process_is_first)
{
    create_segment(DEAD + 1, "a", "p", 5);
    create_segment(DEAD + 2, "b", "p", 9);
    create_segment(DEAD + 3, "c", "p", 7);
    cr_assert_str_eq(pids_of(NULL), "2147480002 2147480003 2147480001");
}

Test(selection, running_processes_come_before_ended_ones)
{
    char expected[64];
    create_segment(DEAD + 1, "a", "p", 100);
    create_segment(DEAD + 2, "c", "p", 200);
    create_segment(getpid(), "b", "p", 1);
    snprintf(expected, sizeof(expected), "%d 2147480002 2147480001", (int)getpid());
    cr_assert_str_eq(pids_of(NULL), expected);
}

Test(selection, only_the_newest_of_ended_processes_is_selected)
{
    create_segment(DEAD + 1, "a", "p", 5);
    create_segment(DEAD + 2, "a", "p", 9);
    create_segment(DEAD + 3, "a", "p", 7);
    cr_assert_str_eq(pids_of("a"), "2147480002");
    cr_assert_str_eq(pids_of(NULL), "2147480002");
    cr_assert_str_eq(pids_of("2147480001"), "2147480001", "by pid, any of them");
}

Test(selection, ended_processes_of_one_run_do_not_hide_each_other)
{
    create_segment_of_run(DEAD + 1, 1, "a:x", "x", 5);
    create_segment_of_run(DEAD + 2, 1, "a:x", "x", 7);
    create_segment_of_run(DEAD + 3, 1, "a:x", "x", 300);
    cr_assert_str_eq(pids_of("a:x"), "2147480003 2147480002 2147480001");
    cr_assert_str_eq(pids_of("a"), "2147480003 2147480002 2147480001");
    create_segment_of_run(DEAD + 4, 301, "a:x", "x", 305);
    create_segment_of_run(DEAD + 5, 301, "a:x", "x", 309);
    cr_assert_str_eq(pids_of("a"), "2147480005 2147480004", "only the newest run's");
}

Test(selection, ended_processes_of_concurrent_runs_do_not_hide_each_other)
{
    create_segment_of_run(DEAD + 1, 1, "a", "p", 50);
    create_segment_of_run(DEAD + 2, 10, "a", "p", 20);
    cr_assert_str_eq(pids_of("a"), "2147480001 2147480002");
    create_segment_of_run(DEAD + 3, 30, "a", "p", 40);
    cr_assert_str_eq(pids_of("a"), "2147480001 2147480003",
                     "the second was over before the third");
}

/* Frame 5 was long before the other run began, but the run of frame 5 had not ended. */
Test(selection, all_segments_of_a_run_are_selected)
{
    create_segment_of_run(DEAD + 1, 1, "a", "p", 5);
    create_segment_of_run(DEAD + 2, 1, "a", "p", 50);
    create_segment_of_run(DEAD + 3, 30, "a", "p", 40);
    cr_assert_str_eq(pids_of("a"), "2147480002 2147480003 2147480001");
}

Test(selection, ended_processes_of_a_run_are_hidden_by_a_running_one)
{
    char expected[64];
    create_segment_of_run(DEAD + 1, 1, "a", "p", 5);
    create_segment_of_run(DEAD + 2, 1, "b", "p", 5);
    create_segment_of_run(getpid(), 1, "a", "p", 7);
    snprintf(expected, sizeof(expected), "%d 2147480002", (int)getpid());
    cr_assert_str_eq(pids_of(NULL), expected);
}

Test(selection, ended_processes_are_hidden_by_a_running_one)
{
    char expected[64];
    create_segment(DEAD + 1, "a", "p", 500);
    create_segment(getpid(), "a", "p", 5);
    snprintf(expected, sizeof(expected), "%d", (int)getpid());
    cr_assert_str_eq(pids_of("a"), expected);
    cr_assert_str_eq(pids_of(NULL), expected);
    cr_assert_str_eq(pids_of(expected), expected);
}

Test(selection, a_name_matches_before_a_program_and_children)
{
    create_segment(DEAD + 1, "org.app", "app", 1);
    create_segment(DEAD + 2, "org.app:1", "helper", 2);
    create_segment(DEAD + 3, "app", "launcher", 3);
    create_segment(DEAD + 4, "tool:1", "x", 4);
    create_segment(DEAD + 5, "tool:2", "x", 5);
    cr_assert_str_eq(pids_of("org.app"), "2147480001",
                     "children are asked for by their name");
    cr_assert_str_eq(pids_of("org.app:1"), "2147480002");
    cr_assert_str_eq(pids_of("app"), "2147480003", "a name, though it is a program, too");
    cr_assert_str_eq(pids_of("helper"), "2147480002");
    cr_assert_str_eq(pids_of("launcher"), "2147480003");
    cr_assert_str_eq(pids_of("tool"), "2147480005 2147480004");
    cr_assert_str_eq(pids_of("too"), "");
    cr_assert_str_eq(pids_of("org"), "");
    cr_assert_str_eq(pids_of("ORG.APP"), "");
}

Test(selection, names_with_special_characters_are_selected)
{
    static const char *const names[] = {"a b",        "it's",       "\"quoted\"",
                                        "semi;colon", "$(touch x)", "grüße",
                                        "-a",         "*",          "12abc"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char pid[24];
        create_segment(DEAD + (int64_t)i, names[i], "p", i);
        snprintf(pid, sizeof(pid), "%lld", (long long)DEAD + (long long)i);
        cr_assert_str_eq(pids_of(names[i]), pid, "%s", names[i]);
    }
    cr_assert_str_eq(pids_of(""), "");
}

Test(selection, a_pid_must_be_the_whole_word)
{
    create_segment(DEAD + 1, "a", "p", 1);
    cr_assert_str_eq(pids_of("2147480001"), "2147480001");
    cr_assert_str_eq(pids_of("2147480001x"), "");
    cr_assert_str_eq(pids_of("214748000"), "");
    cr_assert_str_eq(pids_of("99999999999999999999"), "");
}

Test(selection, bad_segments_are_reported_and_do_not_affect_others)
{
    struct dj_segment_selection selection = {0};
    struct errors errors = {0};
    create_segment(DEAD + 1, "good", "p", 1);
    test_write_file(test_path("2147480002.1"), "garbage, and not a segment at all", 33);
    cr_assert_eq(symlink("/etc/passwd", test_path("2147480003.1")), 0);
    test_write_file(test_path("2147480004.1"), "", 0);
    cr_assert_eq(dj_segment_select(NULL, add_error, &errors, &selection, NULL), 0);
    cr_assert_eq(selection.count, 1);
    cr_assert_str_eq(selection.candidates[0].identity.name, "good");
    cr_assert_eq(errors.count, 3);
    cr_assert(strstr(errors.last.message, test_directory) != NULL);
    dj_segment_selection_finish(&selection);
    cr_assert_eq(dj_segment_select(NULL, NULL, NULL, &selection, NULL), 0,
                 "errors may be ignored");
    dj_segment_selection_finish(&selection);
}

/* A new process whose file has no header yet causes no error. */
Test(selection, a_running_process_without_header_is_no_error)
{
    struct dj_segment_selection selection = {0};
    struct errors errors = {0};
    test_write_file(test_segment(), "", 0);
    cr_assert_eq(dj_segment_select(NULL, add_error, &errors, &selection, NULL), 0);
    cr_assert_eq(selection.count + errors.count, 0);
    dj_segment_selection_finish(&selection);
}

Test(selection, segments_of_another_boot_are_never_selected)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    writer.header->boot_id[0] = writer.header->boot_id[0] == 'x' ? 'y' : 'x';
    dj_segment_unmap(&writer);
    cr_assert_str_eq(pids_of(NULL), "");
}

Test(selection, a_crowded_directory_is_reported)
{
    struct dj_segment_selection selection = {0};
    struct errors errors = {0};
    for (int i = 1; i <= DJ_SELECT_FILES_PER_DIRECTORY + 5; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%d.1", DEAD + i);
        test_write_file(test_path(name), "", 0);
    }
    cr_assert_eq(dj_segment_select(NULL, add_error, &errors, &selection, NULL), 0);
    cr_assert(selection.cut);
    cr_assert_eq(errors.count, DJ_SELECT_FILES_PER_DIRECTORY);
    dj_segment_selection_finish(&selection);
}

static bool has_profile(const char *name)
{
    struct dj_snapshot snapshot;
    const struct dj_snapshot_options options = {0};
    test_read(test_path(name), &options, &snapshot);
    bool profile = snapshot.profile;
    dj_segment_snapshot_finish(&snapshot);
    return profile;
}

/* A segment that was removed meanwhile does not affect the others. */
Test(selection, the_simple_dump_of_all_segments_is_switched)
{
    struct dj_segment_selection selection = {0};
    struct errors errors = {0};
    struct dj_error err = {0};
    create_segment(DEAD + 1, "a", "p", 1);
    create_segment(DEAD + 2, "b", "p", 2);
    create_segment(DEAD + 3, "c", "p", 3);
    cr_assert_eq(dj_segment_select("p", add_error, &errors, &selection, NULL), 0);
    cr_assert_eq(selection.count, 3);
    cr_assert_eq(
        dj_segment_selection_set_profile(&selection, true, add_error, &errors, &err), 0);
    char gone[DJ_SEGMENT_PATH];
    memcpy(gone, selection.candidates[1].file.path, sizeof(gone));
    cr_assert(has_profile(strrchr(gone, '/') + 1));
    unlink(gone);
    cr_assert_eq(
        dj_segment_selection_set_profile(&selection, false, add_error, &errors, &err),
        DJ_E_NOT_FOUND);
    cr_assert_eq(errors.count, 1);
    cr_assert_str_eq(err.message, errors.last.message);
    cr_assert_not(has_profile(strrchr(selection.candidates[0].file.path, '/') + 1));
    cr_assert_not(has_profile(strrchr(selection.candidates[2].file.path, '/') + 1));
    cr_assert_eq(dj_segment_selection_set_profile(&selection, true, NULL, NULL, NULL),
                 DJ_E_NOT_FOUND);
    dj_segment_selection_finish(&selection);
}
