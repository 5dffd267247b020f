#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

TestSuite(to_dump, .init = test_setup, .fini = test_teardown);

static const struct dj_snapshot_options whole = {0};

static void dump_now(struct dj_dump *dump)
{
    struct dj_snapshot snapshot;
    *dump = (struct dj_dump){0};
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(dj_segment_snapshot_to_dump(&snapshot, dump), 0);
    dj_segment_snapshot_finish(&snapshot);
}

Test(to_dump, a_process_and_its_windows_are_converted)
{
    struct dj_segment_writer writer;
    struct dj_dump dump;
    test_create(&writer);
    test_write(&writer, 0x1d5ddd6, 0, 50);
    test_write(&writer, 2, 0, 20);
    atomic_store(&writer.header->pipelines, 1U << DJ_PIPELINE_GLX);
    dump_now(&dump);
    cr_assert_eq(dump.process_count, 1);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_eq(process->pid, getpid());
    cr_assert_str_eq(process->name, "org.example.App");
    cr_assert_str_eq(process->pipeline, "OpenGL (GLX)");
    cr_assert(process->stats.present);
    cr_assert_eq(process->stats.lines, UINT32_MAX);
    cr_assert_eq(process->stats.stats.counter[DJ_COUNTER_TOTAL], 70);
    cr_assert_eq(process->stats.stats.counter[DJ_COUNTER_JANKY],
                 test_slow_frames(50) + test_slow_frames(20));
    cr_assert_eq(process->stats.stats.since_ns, writer.header->created_ns);
    cr_assert_eq(process->interval_ns, TEST_INTERVAL_NS);
    cr_assert_eq(process->not_recorded, 0);
    cr_assert_not(process->ended);
    cr_assert_null(process->disabled);
    cr_assert_eq(process->expected, -1);
    cr_assert_eq(process->window_count, 2);
    const struct dj_dump_window *window = &process->windows[0];
    cr_assert_str_eq(window->title, "org.example.App/Window@1d5ddd6");
    cr_assert_str_eq(window->stats_title, "org.example.App/Window");
    cr_assert_eq(window->visibility, 0);
    cr_assert_eq(window->stats.stats.counter[DJ_COUNTER_TOTAL], 50);
    cr_assert(window->has_frames);
    cr_assert_eq(window->frame_count, 50);
    cr_assert_eq(window->columns.count, 17);
    cr_assert_not(window->has_profile);
    struct dj_frame expected = test_frame(0x1d5ddd6, 49);
    cr_assert(dj_frame_equal(&window->frames[49], &expected));
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}

Test(to_dump, pipelines_are_named)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {
        {0, NULL},
        {1, "OpenGL (GLX)"},
        {2, "OpenGL (EGL)"},
        {3, "OpenGL (GLX), OpenGL (EGL)"},
        {1U << DJ_PIPELINE_SOFTWARE, "software"},
        {1U << DJ_PIPELINE_SOFTWARE | 1U << DJ_PIPELINE_X_SHARED_IMAGE,
         "software (XShm)"},
        {1U << DJ_PIPELINE_GTK | 1U << DJ_PIPELINE_SOFTWARE | 1U << DJ_PIPELINE_X_IMAGE |
             1U << DJ_PIPELINE_X_COPY,
         "GTK, software (XPutImage), software (XCopyArea)"},
        {1U << DJ_PIPELINE_SOFTWARE | 1U << DJ_PIPELINE_WAYLAND_SHM, "software (wl_shm)"},
    };
    struct dj_segment_writer writer;
    test_create(&writer);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_dump dump;
        atomic_store(&writer.header->pipelines, rows[i].bits);
        dump_now(&dump);
        if (rows[i].text == NULL) {
            cr_assert_null(dump.processes[0].pipeline);
        } else {
            cr_assert_str_eq(dump.processes[0].pipeline, rows[i].text);
        }
        dj_gfxinfo_dump_finish(&dump);
    }
    dj_segment_unmap(&writer);
}

Test(to_dump, notes_are_converted)
{
    struct dj_segment_writer writer;
    struct dj_dump dump;
    test_create(&writer);
    writer.header->interval_assumed = 1;
    atomic_store(&writer.header->dropped, 3);
    dj_segment_disable(&writer, "no memory\nfor windows");
    dump_now(&dump);
    cr_assert(dump.processes[0].interval_assumed);
    cr_assert_eq(dump.processes[0].dropped, 3);
    cr_assert_str_eq(dump.processes[0].disabled, "no memory\\x0afor windows");
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}

/* The note names only columns that the dialect prints and that at least one row lacks. */
Test(to_dump, columns_that_were_not_recorded_are_named)
{
    struct dj_segment_writer writer;
    struct dj_dump dump;
    test_create(&writer);
    test_write(&writer, 1, 0, 5);
    struct dj_frame frame = test_frame(1, 5);
    frame.known &=
        ~(DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START) | DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED) |
          DJ_COLUMN_BIT(DJ_COLUMN_FRAME_DEADLINE));
    cr_assert(dj_segment_write_frame(
        &writer, dj_segment_open_window(&writer, 1, "Window"), 1, &frame, NULL));
    dump_now(&dump);
    cr_assert_eq(dump.processes[0].not_recorded,
                 DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START) |
                     DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED));
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}

/* The name of another process may contain escape sequences, line ends or invalid
 * UTF-8. */
Test(to_dump, special_characters_in_names_are_escaped)
{
    static const struct {
        const char *name, *printed;
    } rows[] = {
        {"with space; 'quotes' \"and\" $x", "with space; 'quotes' \"and\" $x"},
        {"gr\xc3\xbc\xc3\x9f"
         "e",
         "gr\xc3\xbc\xc3\x9f"
         "e"},
        {"a\nb\tc", "a\\x0ab\\x09c"},
        {"\033[2J", "\\x1b[2J"},
        {"cut \xc3", "cut \\xc3"},
        {"\n", "\\x0a"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_segment_writer writer;
        struct dj_dump dump;
        char title[256];
        test_create_named(&writer, rows[i].name, "p", TEST_KEEP);
        cr_assert_not_null(dj_segment_open_window(&writer, 10, rows[i].name));
        dump_now(&dump);
        cr_assert_str_eq(dump.processes[0].name, rows[i].printed);
        snprintf(title, sizeof(title), "%s/%s@a", rows[i].printed, rows[i].printed);
        cr_assert_str_eq(dump.processes[0].windows[0].title, title);
        dj_gfxinfo_dump_finish(&dump);
        dj_segment_unmap(&writer);
    }
}

/* A slot that is being assigned is not a window of the dump, but its frames are in the
 * statistics of the process. */
Test(to_dump, slots_during_reassignment_are_not_windows)
{
    struct dj_segment_writer writer;
    struct dj_dump dump;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    test_write(&writer, 2, 0, 10);
    atomic_store(&writer.window[0].shared->state, DJ_WINDOW_CHANGING);
    dump_now(&dump);
    cr_assert_eq(dump.processes[0].window_count, 1);
    cr_assert_str_eq(dump.processes[0].windows[0].title, "org.example.App/Window@2");
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 20);
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}

Test(to_dump, several_processes_are_converted)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    struct dj_dump dump = {0};
    test_create(&writer);
    test_write(&writer, 1, 0, 3);
    test_read(test_segment(), &whole, &snapshot);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(dj_segment_snapshot_to_dump(&snapshot, &dump), 0);
    }
    cr_assert_eq(dump.process_count, 5);
    cr_assert_eq(dump.processes[4].windows[0].frame_count, 3);
    dj_segment_snapshot_finish(&snapshot);
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}

/* Timestamps of one frame in ms after its start, and the row that the simple dump
 * prints. */
static const struct {
    const char *why;
    double queued, sync, issue, swap, completed; /* Negative if not recorded. */
    float draw, prepare, process, execute;
} profile_rows[] = {
    {"as recorded", 4, 4, 5, 7, 10, 4.0F, 1.0F, 2.0F, 3.0F},
    {"the stall is not drawing", 4, 12, 13, 15, 18, 4.0F, 1.0F, 2.0F, 3.0F},
    {"clamped", 60, 60, 200, 200.5, 251, 50.0F, 50.0F, 0.5F, 50.0F},
    {"without SwapBuffers all is execution", 4, 4, 5, -1, 10, 4.0F, 1.0F, 0.0F, 5.0F},
    {"backwards is nothing", 4, 4, 9, 7, 10, 4.0F, 5.0F, 0.0F, 3.0F},
};

static void set_ms(struct dj_frame *frame, enum dj_column column, double ms)
{
    if (ms >= 0) {
        dj_frame_set(frame, column, 1000000000 + (int64_t)(ms * 1e6));
    }
}

Test(to_dump, rows_of_the_simple_dump_are_hwuis)
{
    const size_t count = sizeof(profile_rows) / sizeof(profile_rows[0]);
    struct dj_segment_writer writer;
    struct dj_dump dump;
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, 1, "Window");
    for (size_t i = 0; i < count; i++) {
        struct dj_frame frame = {0};
        set_ms(&frame, DJ_COLUMN_INTENDED_VSYNC, 0);
        set_ms(&frame, DJ_COLUMN_VSYNC, 0);
        set_ms(&frame, DJ_COLUMN_SYNC_QUEUED, profile_rows[i].queued);
        set_ms(&frame, DJ_COLUMN_SYNC_START, profile_rows[i].sync);
        set_ms(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, profile_rows[i].issue);
        set_ms(&frame, DJ_COLUMN_SWAP_BUFFERS, profile_rows[i].swap);
        set_ms(&frame, DJ_COLUMN_FRAME_COMPLETED, profile_rows[i].completed);
        cr_assert(dj_segment_write_frame(&writer, window, 1, &frame, NULL));
    }
    atomic_store(&writer.header->profile, 1);
    dump_now(&dump);
    const struct dj_dump_window *out = &dump.processes[0].windows[0];
    cr_assert(out->has_profile);
    cr_assert_eq(out->profile_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct dj_profile_row *row = &out->profile[i];
        cr_expect_float_eq(row->draw_ms, profile_rows[i].draw, 1e-4, "%s: draw %f",
                           profile_rows[i].why, (double)row->draw_ms);
        cr_expect_float_eq(row->prepare_ms, profile_rows[i].prepare, 1e-4,
                           "%s: prepare %f", profile_rows[i].why,
                           (double)row->prepare_ms);
        cr_expect_float_eq(row->process_ms, profile_rows[i].process, 1e-4,
                           "%s: process %f", profile_rows[i].why,
                           (double)row->process_ms);
        cr_expect_float_eq(row->execute_ms, profile_rows[i].execute, 1e-4,
                           "%s: execute %f", profile_rows[i].why,
                           (double)row->execute_ms);
    }
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_unmap(&writer);
}
