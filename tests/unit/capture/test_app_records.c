/* Collects sections and frames of a recorded app, which is this process. */
#include "capture/app_records.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segment/sections_writer.h"
#include "segment/writer.h"

enum { KEEP = DJ_SECTIONS_KEEP_MIN, ROWS = 128, MOST = 8192 };
#define INTERVAL_NS INT64_C(16666667)

static char folder[] = "/tmp/dejank-records-XXXXXX";
static struct dj_segment_writer segment;
static struct dj_sections_writer sections;
static struct dj_section_ring *ring;
static struct dj_records records;
static struct dj_error err;
static uint64_t frames_written;

static void set_up(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    setenv("DEJANK_DIR", folder, 1);
    const struct dj_segment_options options = {.directory = folder,
                                               .name = "org.example",
                                               .program = "example",
                                               .dialect = dj_frame_dialect_default(),
                                               .keep = ROWS,
                                               .interval_ns = INTERVAL_NS,
                                               .now_ns = 5};
    cr_assert(dj_segment_create(&segment, &options, &err) == 0, "%s", err.message);
    const struct dj_sections_options more = {.segment = segment.path,
                                             .name = "org.example",
                                             .program = "example",
                                             .keep = KEEP,
                                             .now_ns = 5};
    cr_assert(dj_segment_sections_create(&sections, &more, &err) == 0, "%s", err.message);
    ring = dj_segment_ring_acquire(&sections, 7, "worker", 5);
    cr_assert(ring != NULL);
}

static void tear_down(void)
{
    char sections_path[sizeof(sections.path)];
    snprintf(sections_path, sizeof(sections_path), "%s", sections.path);
    dj_app_records_finish(&records);
    dj_segment_sections_unmap(&sections);
    char path[sizeof(segment.path)];
    snprintf(path, sizeof(path), "%s", segment.path);
    dj_segment_unmap(&segment);
    unlink(sections_path);
    unlink(path);
    rmdir(folder);
}

TestSuite(records, .init = set_up, .fini = tear_down);

static void write_section(uint32_t tid, int64_t at_ns, enum dj_section_kind kind,
                          const char *name)
{
    const struct dj_section_data note = {kind, name, strlen(name), 0};
    dj_segment_ring_write(ring, KEEP - 1, tid, at_ns, &note);
}

/* Writes a frame that begins at at_ns and takes work_ms. */
static void write_frame(int64_t at_ns, int64_t work_ms)
{
    struct dj_window_writer *window = dj_segment_open_window(&segment, 1, "front");
    struct dj_frame frame = {.known = 0};
    int64_t end_ns = at_ns + work_ms * 1000000;
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, at_ns);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, at_ns);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, end_ns - 2000);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, end_ns - 2000);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, end_ns - 1500);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, end_ns - 1000);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, end_ns);
    cr_assert(window != NULL &&
              dj_segment_write_frame(&segment, window, 1, &frame, NULL));
    frames_written++;
}

static void poll_records(void)
{
    cr_assert(dj_app_records_poll(&records, false, &err) == 0, "%s", err.message);
}

static struct dj_event got[MOST];
static char names[MOST][32];
static size_t got_count;

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert(got_count < MOST);
    snprintf(names[got_count], sizeof(names[0]), "%.*s", (int)event->name.length,
             event->name.at != NULL ? event->name.at : "");
    got[got_count++] = *event;
    return 0;
}

static void write_records(int64_t to_ns)
{
    struct dj_trace_recording recorded = {.pid = 0};
    got_count = 0;
    dj_app_records_write(&records, to_ns, &recorded);
    cr_assert(dj_trace_recording_send_events(
                  &recorded, (struct dj_event_sink){store_event, NULL}) == 0);
    dj_trace_recording_finish(&recorded);
}

static size_t count_events(enum dj_event_kind kind, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; i < got_count; i++) {
        found += got[i].kind == kind && (name == NULL || strcmp(names[i], name) == 0);
    }
    return found;
}

/* Each section must be collected once, after any number of polls, even if several have
 * the same time. */
Test(records, each_section_is_collected_once)
{
    records = (struct dj_records){.app = "org.example", .from_ns = 100};
    write_section(7, 200, DJ_SECTION_BEGIN, "a");
    write_section(7, 300, DJ_SECTION_END, "");
    poll_records();
    poll_records();
    write_section(7, 300, DJ_SECTION_BEGIN, "b");
    write_section(7, 300, DJ_SECTION_BEGIN, "inner");
    poll_records();
    write_section(7, 300, DJ_SECTION_END, "");
    write_section(7, 400, DJ_SECTION_END, "");
    poll_records();
    poll_records();
    write_records(INT64_MAX);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "a"), 1);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "b"), 1);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "inner"), 1);
    cr_expect_eq(count_events(DJ_EVENT_END, NULL), 3);
    cr_expect_eq(records.section_count, 6);
    cr_expect_eq(records.lost_threads, 0);
}

/* More sections are written between two polls than the ring can hold. */
Test(records, overwritten_sections_are_reported)
{
    enum { BATCHES = 6, EACH = KEEP / 4 };
    records = (struct dj_records){.app = NULL, .from_ns = 1};
    for (int64_t batch = 0; batch < BATCHES; batch++) {
        for (int64_t i = 0; i < EACH; i++) {
            int64_t at_ns = 1000 + (batch * EACH + i) * 10;
            write_section(7, at_ns, DJ_SECTION_BEGIN, "step");
            write_section(7, at_ns + 5, DJ_SECTION_END, "");
        }
        poll_records();
    }
    write_records(INT64_MAX);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "step"), BATCHES * EACH);
    cr_expect_eq(count_events(DJ_EVENT_END, NULL), BATCHES * EACH);
}

/* Sections that began before the capture are kept only if they contain its start. */
Test(records, sections_that_ended_before_the_capture_are_dropped)
{
    records = (struct dj_records){.app = "example", .from_ns = 1000};
    write_section(7, 100, DJ_SECTION_BEGIN, "outer");
    write_section(7, 200, DJ_SECTION_BEGIN, "over");
    write_section(7, 300, DJ_SECTION_END, "");
    write_section(7, 400, DJ_SECTION_BEGIN, "around");
    poll_records();
    write_section(7, 1500, DJ_SECTION_END, "");
    write_section(7, 1600, DJ_SECTION_END, "");
    write_section(7, 9000, DJ_SECTION_BEGIN, "after");
    poll_records();
    write_records(5000);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, NULL), 2);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "outer"), 1);
    cr_expect_eq(count_events(DJ_EVENT_BEGIN, "around"), 1);
    cr_expect_eq(count_events(DJ_EVENT_END, NULL), 2);
}

static int64_t janky_from_ns;
static size_t janky_count;

static void store_janky(void *user, int64_t start_ns, int64_t end_ns)
{
    cr_expect(user == &records && end_ns > start_ns);
    janky_from_ns = start_ns;
    janky_count++;
}

Test(records, each_frame_is_collected_once_and_janky_ones_are_reported)
{
    records = (struct dj_records){.app = "org.example",
                                  .from_ns = 1000000000,
                                  .janky = store_janky,
                                  .user = &records};
    write_frame(500000000, 40); /* This frame is before the capture. */
    for (int64_t i = 0; i < 300; i++) {
        write_frame(1000000000 + i * INTERVAL_NS, i == 200 ? 40 : 3);
        if (i % 50 == 0) {
            poll_records();
        }
    }
    poll_records();
    cr_expect_eq(janky_count, 1);
    cr_expect_eq(janky_from_ns, INT64_C(1000000000) + 200 * INTERVAL_NS);
    cr_expect_eq(records.lost_frames, 0);
    write_records(INT64_C(1000000000) + 299 * INTERVAL_NS - 1);
    size_t whole = 0;
    for (size_t i = 0; i < got_count; i++) {
        whole += got[i].kind == DJ_EVENT_FRAME_BEGIN && got[i].frame != NULL;
    }
    cr_expect_eq(whole, 2 * 299,
                 "expected and actual of each but the last, which is later");
}

Test(records, overwritten_frames_are_counted)
{
    records = (struct dj_records){.app = "org.example", .from_ns = 1};
    write_frame(1000000, 3);
    poll_records();
    for (int64_t i = 1; i < 2 * ROWS; i++) {
        write_frame(1000000 + i * INTERVAL_NS, 3);
    }
    poll_records();
    cr_expect_eq(records.lost_frames, ROWS - 1);
}

/* An app that starts during the capture draws more frames than its ring can hold. */
Test(records, overwritten_frames_of_a_new_window_are_lost)
{
    records = (struct dj_records){.app = "org.example", .from_ns = 1};
    dj_app_records_poll(&records, false, &err);
    records.count = 0; /* As if the app had not been running at the first poll. */
    for (int64_t i = 0; i < 2 * ROWS; i++) {
        write_frame(1000000 + i * INTERVAL_NS, 3);
    }
    poll_records();
    cr_expect_eq(records.lost_frames, ROWS);
    cr_expect_eq(records.fill, 2);
}

Test(records, frames_before_the_capture_are_not_lost)
{
    for (int64_t i = 0; i < 2 * ROWS; i++) {
        write_frame(1000000 + i * INTERVAL_NS, 3);
    }
    records = (struct dj_records){.app = "org.example", .from_ns = INT64_MAX};
    poll_records();
    cr_expect_eq(records.lost_frames, 0);
}

Test(records, every_frame_is_collected_lost_or_later)
{
    records = (struct dj_records){.app = "org.example", .from_ns = 1};
    poll_records();
    for (int64_t i = 0; i < ROWS + 50; i++) {
        write_frame(1000000 + i * INTERVAL_NS, 3);
    }
    poll_records();
    records.to_ns = 1000000 + (ROWS + 49) * INTERVAL_NS;
    for (int64_t i = ROWS + 50; i < 3 * ROWS; i++) {
        write_frame(1000000 + i * INTERVAL_NS, 3);
    }
    poll_records();
    write_records(records.to_ns);
    size_t whole = 0;
    for (size_t i = 0; i < got_count; i++) {
        whole += got[i].kind == DJ_EVENT_FRAME_BEGIN && got[i].frame != NULL;
    }
    cr_expect_eq(whole, 2 * ROWS, "expected and actual: %zu", whole);
    cr_expect_eq(records.lost_frames, 50);
    cr_expect_eq(records.later_frames, 2 * ROWS - 50);
    cr_expect_eq(records.broken_frames, 0);
}

Test(records, other_apps_are_ignored)
{
    records = (struct dj_records){.app = "org.other", .from_ns = 1};
    write_frame(1000000, 3);
    poll_records();
    cr_expect_eq(records.count, 0);
    records.app = "org.exam"; /* A prefix of the app's name does not match. */
    poll_records();
    cr_expect_eq(records.count, 0);
}
