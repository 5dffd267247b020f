#include "report/capture.h"

#include "base/json.h"
#include "memory/memory.h"

static const char *const app_words[] = {
    [DJ_APP_RECORDED] = "recorded",
    [DJ_APP_UNRECORDED] = "not-recorded",
    [DJ_APP_ABSENT] = "absent",
};

static void add_stacks(struct dj_text *text, const struct dj_capture_stack_counts *stacks)
{
    dj_json_open_object(text, "stacks");
    dj_json_add_string(text, "source", stacks->source != NULL ? stacks->source : "none");
    dj_json_add_int(text, "rate_hz", stacks->rate_hz);
    dj_json_add_int(text, "samples", (int64_t)stacks->samples);
    dj_json_add_int(text, "waits", (int64_t)stacks->waits);
    dj_json_add_int(text, "incomplete", (int64_t)stacks->incomplete);
    dj_json_add_int(text, "guessed", (int64_t)stacks->guessed);
    dj_json_add_int(text, "lost", (int64_t)stacks->lost);
    dj_json_add_int(text, "throttled", (int64_t)stacks->throttled);
    dj_json_close(text, "}");
}

void dj_report_capture_json(struct dj_text *text, const char *file,
                            const struct dj_capture_result *result)
{
    dj_json_open_document(text, "dejank.capture/1");
    dj_json_add_string(text, "file", file);
    dj_json_add_string(text, "source", result->source);
    dj_json_add_int(text, "start_ns", result->start_ns);
    dj_json_add_int(text, "end_ns", result->end_ns);
    dj_json_add_int(text, "events", (int64_t)result->events);
    dj_json_add_int(text, "lost", (int64_t)result->lost);
    dj_json_add_int(text, "sections", (int64_t)result->sections);
    dj_json_add_int(text, "frames", (int64_t)result->frames);
    dj_json_add_int(text, "frames_lost", (int64_t)result->frames_lost);
    dj_json_add_int(text, "frames_later", (int64_t)result->frames_later);
    dj_json_add_int(text, "frames_broken", (int64_t)result->frames_broken);
    dj_json_add_int(text, "janky", (int64_t)result->janky);
    dj_json_add_int(text, "bytes", result->bytes);
    dj_json_add_bool(text, "cut", result->cut);
    if (result->app != DJ_APP_ANY) {
        dj_json_add_string(text, "app", app_words[result->app]);
    }
    if (result->stacks.wanted) {
        add_stacks(text, &result->stacks);
    }
    dj_json_open_array(text, "limits");
    for (size_t i = 0; i < result->limit_count; i++) {
        dj_json_append_string(text, result->limits[i]);
    }
    dj_json_close(text, "]}\n");
}

void dj_report_capture(const char *file, const struct dj_capture_result *result,
                       const struct dj_messages *messages)
{
    struct dj_text held = {0};
    if (result->events > 0) { /* Events of a device are not counted. */
        dj_text_format(&held, ", %llu events", (unsigned long long)result->events);
    }
    if (result->frames > 0) {
        dj_text_format(&held, ", %llu frames", (unsigned long long)result->frames);
    } else if (result->sections > 0) {
        dj_text_add(&held, ", sections of the app but no frames");
    }
    if (result->stacks.samples > 0) {
        dj_text_format(&held, ", %llu call stacks",
                       (unsigned long long)result->stacks.samples);
    }
    if (result->frames_later > 0) {
        dj_text_format(&held, " (%llu more started after the capture)",
                       (unsigned long long)result->frames_later);
    }
    if (result->janky > 0) {
        dj_text_format(&held, ", around %llu janky %s", (unsigned long long)result->janky,
                       result->janky == 1 ? "frame" : "frames");
    }
    dj_message(messages, "wrote %s: %s, %.1f s%s, %.1f MB%s", file,
               result->source != NULL ? result->source : "trace",
               (double)(result->end_ns - result->start_ns) / 1e9, dj_xtext(&held),
               (double)result->bytes / (1 << 20),
               result->cut ? ", the size limit: later events are missing" : "");
    if (result->frames == 0 && result->sections > 0) {
        dj_message(
            messages,
            "the trace contains no frames to explain. hint: 'dejank trace triage %s "
            "--frames NAME' treats the sections with this name as frames",
            file);
    }
    dj_text_finish(&held);
}

void dj_report_capture_limits(const struct dj_capture_result *result,
                              const struct dj_messages *messages)
{
    for (size_t i = 0; i < result->limit_count; i++) {
        dj_message(messages, "the trace does not show %s", result->limits[i]);
    }
}
