#include "report/recording.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/no_frames.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/file_format.h"
#include "report/view/view.h"
#include "segment/sections_layout.h"
#include "segment/snapshot.h"

/* The data that a run has recorded. */
struct found {
    int64_t run_ns;
    struct dj_parsed parsed; /* One process for each segment. */
    bool any;
    bool has_sections;
    char disabled[128]; /* Reason why the recording stopped, or "" if it did not stop. */
};

/* Returns whether the process of this segment recorded sections. */
static bool has_sections(const struct dj_segment_file *file)
{
    char path[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    snprintf(path, sizeof(path), "%s" DJ_SECTIONS_SUFFIX, file->path);
    return access(path, F_OK) == 0;
}

static bool add_segment(const struct dj_segment_file *file, void *user)
{
    struct found *found = user;
    const struct dj_snapshot_options whole = {.ignore_reset = true};
    struct dj_segment_identity identity;
    struct dj_snapshot snapshot = {0};
    if (dj_segment_identify(file->path, file->owner, &identity, NULL) != 0 ||
        identity.run_ns != found->run_ns) {
        return true;
    }
    if (dj_segment_snapshot_read(file->path, file->owner, &whole, &snapshot, NULL) == 0) {
        found->any = true;
        found->has_sections = found->has_sections || has_sections(file);
        if (snapshot.disabled[0] != '\0') {
            memcpy(found->disabled, snapshot.disabled, sizeof(found->disabled));
        }
        found->parsed.dump.dialect = snapshot.dialect;
        dj_xcode(dj_segment_snapshot_to_dump(&snapshot, &found->parsed.dump));
    }
    dj_segment_snapshot_finish(&snapshot);
    return true;
}

/* The time that all frames of all windows spent in each stage. */
struct times {
    size_t frames;
    int64_t frame_ns;
    int64_t stage_ns[DJ_STAGE_COUNT];
};

static void add_view(struct times *times, const struct dj_view *view)
{
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_view_frame *frame = &view->frames[i];
        times->frames++;
        times->frame_ns += frame->frame_time_ns;
        for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
            times->stage_ns[stage] += frame->stages.ns[stage];
        }
    }
}

/* Appends the stage in which frames spent the most time. Excludes the wait for the
 * display, which is not part of the frame time. Also excludes the time before the
 * hand-over that is not divided into stages. */
static void append_worst(struct dj_text *line, const struct dj_views *views)
{
    struct times times = {0};
    size_t worst = DJ_STAGE_WAIT;
    for (size_t i = 0; i < views->count; i++) {
        add_view(&times, &views->view[i]);
    }
    times.stage_ns[DJ_STAGE_WAIT] = 0;
    for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        worst = times.stage_ns[stage] > times.stage_ns[worst] ? stage : worst;
    }
    if (times.stage_ns[worst] > 0) {
        double per_frame = 1e-6 / (double)times.frames;
        dj_text_format(line, "; longest stage: %s, %.1f of %.1f ms per frame",
                       dj_frame_stage_name((enum dj_stage)worst),
                       (double)times.stage_ns[worst] * per_frame,
                       (double)times.frame_ns * per_frame);
    }
}

static uint64_t count_frames(const struct dj_dump *dump, enum dj_counter counter)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        sum += dump->processes[i].stats.stats.counter[counter];
    }
    return sum;
}

/* Returns what a message about a recording without frames adds about the report. */
static const char *mention_report(const struct dj_recording *recording)
{
    return recording->report != NULL ? " and wrote no report" : "";
}

static void send_no_frames(const struct dj_recording *recording)
{
    struct dj_no_frames_cause likely = dj_device_find_no_frames_cause(recording->path);
    dj_message(recording->messages,
               "%s: dejank recorded no frames%s. Likely cause: %s. hint: %s",
               recording->program, mention_report(recording), likely.cause,
               likely.remedy);
}

static void send_no_report(const struct dj_recording *recording)
{
    dj_message(recording->messages,
               "%s: dejank wrote no report, because it recorded no frames",
               recording->program);
}

/* Sends a message about a recording without frames. Another message says why a recording
 * stopped. */
static void summarize_without_frames(const struct dj_recording *recording,
                                     const struct found *found)
{
    if (found->has_sections) {
        dj_message(
            recording->messages,
            "%s: dejank recorded trace sections but no frames%s. hint: 'dejank trace "
            "read %s' lists the sections",
            recording->program, mention_report(recording), recording->name);
    } else if (found->disabled[0] == '\0') {
        send_no_frames(recording);
    } else if (recording->report != NULL) {
        send_no_report(recording);
    }
}

static void summarize(const struct dj_recording *recording, const struct found *found,
                      const struct dj_views *views)
{
    uint64_t frames = count_frames(&found->parsed.dump, DJ_COUNTER_TOTAL);
    uint64_t janky = count_frames(&found->parsed.dump, DJ_COUNTER_JANKY);
    struct dj_text line = {0};
    bool alone = found->parsed.dump.process_count == 1;
    dj_text_add(&line, alone ? found->parsed.dump.processes[0].name : recording->name);
    if (!alone) {
        dj_text_format(&line, " (%zu processes)", found->parsed.dump.process_count);
    }
    dj_text_format(&line, ": %llu frames, %llu janky (%.2f %%)",
                   (unsigned long long)frames, (unsigned long long)janky,
                   100.0 * (double)janky / (double)frames);
    append_worst(&line, views);
    dj_text_add(&line, recording->hints && janky > 0
                           ? ". hint: 'dejank trace capture -o trace.pftrace -- …' "
                             "and 'dejank trace triage trace.pftrace' show why "
                             "frames are janky"
                           : "");
    dj_message(recording->messages, "%s", dj_xtext(&line));
    dj_text_finish(&line);
}

static bool write_report(const struct dj_recording *recording,
                         const struct dj_views *views)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = dj_report_format_draw(dj_report_format_find(recording->report), &text,
                                     views, &err);
    code = code == 0 ? dj_output_write(recording->report, &text, &err) : code;
    dj_text_finish(&text);
    dj_message(recording->messages, "%s%s", code == 0 ? "wrote " : "",
               code == 0 ? recording->report : err.message);
    return code == 0;
}

/* Sends the summary, and writes the report if there is one to write. Returns false if a
 * report is missing. */
static bool conclude(const struct dj_recording *recording, struct found *found)
{
    struct dj_views views = {0};
    bool done = recording->report == NULL;
    dj_import_compute_dump(&found->parsed);
    if (count_frames(&found->parsed.dump, DJ_COUNTER_TOTAL) == 0) {
        summarize_without_frames(recording, found);
    } else {
        dj_report_add_views(&views, &found->parsed);
        summarize(recording, found, &views);
        done = done || write_report(recording, &views);
    }
    if (found->disabled[0] != '\0') {
        dj_message(recording->messages, "the recording of %s stopped early: %s",
                   recording->program, found->disabled);
    }
    dj_report_finish_views(&views);
    return done;
}

bool dj_report_write_recording(const struct dj_recording *recording)
{
    struct found found = {.run_ns = recording->run_ns,
                          .parsed = {.source = recording->program, .first = true}};
    struct dj_views views = {0};
    bool done = false;
    dj_segment_scan(recording->place, add_segment, &found, NULL);
    if (count_frames(&found.parsed.dump, DJ_COUNTER_TOTAL) > 0) {
        dj_import_compute_dump(&found.parsed);
        dj_report_add_views(&views, &found.parsed);
        done = write_report(recording, &views);
        dj_report_finish_views(&views);
    } else {
        send_no_report(recording);
    }
    dj_import_finish_dump(&found.parsed);
    return done;
}

bool dj_report_recording(const struct dj_recording *recording)
{
    struct found found = {.run_ns = recording->run_ns,
                          .parsed = {.source = recording->program, .first = true}};
    bool done = recording->report == NULL;
    dj_segment_scan(recording->place, add_segment, &found, NULL);
    if (found.any) {
        done = conclude(recording, &found);
    } else {
        send_no_frames(recording);
    }
    dj_import_finish_dump(&found.parsed);
    dj_segment_prune(
        /* This also removes segments that were created but never used. */
        recording->place);
    return done;
}
