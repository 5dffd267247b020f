/* Reads any text as a frame log of another tool. Each frame must have a positive time,
 * and the frames of a stream must be sorted by their ends. Line numbers must be within
 * the text. After conversion to gfxinfo text, the log must have as many frames. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"
#include "import/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static size_t lines_of(const char *bytes, size_t length)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++) {
        lines += bytes[i] == '\n';
    }
    return lines;
}

static void check_log(const struct dj_log *log, size_t lines)
{
    size_t frames = 0;
    for (size_t i = 0; i < log->stream_count; i++) {
        const struct dj_log_stream *stream = &log->streams[i];
        for (size_t k = 0; k < stream->frame_count; k++) {
            check(stream->frames[k].time_ns > 0);
            check(k == 0 || stream->frames[k].end_ns >= stream->frames[k - 1].end_ns);
        }
        frames += stream->frame_count;
    }
    check(frames == log->frames && log->rows_bad <= log->rows);
    check(log->error_line <= lines);
    for (size_t i = 0; i < log->note_count && i < DJ_LOG_NOTES; i++) {
        check(log->notes[i].line <= lines && log->notes[i].message[0] != '\0');
    }
}

static size_t frames_of(const struct dj_dump *dump)
{
    size_t frames = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        for (size_t k = 0; k < dump->processes[i].window_count; k++) {
            frames += dump->processes[i].windows[k].frame_count;
        }
    }
    return frames;
}

/* Converts one run to gfxinfo text and reads this text. Returns the number of frames. */
static size_t check_dump(const struct dj_log *log, size_t run)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    struct dj_text text = {0};
    struct dj_dump dump;
    struct dj_dump again;
    dj_import_write_dump(log, run, "program", &dump);
    size_t frames = frames_of(&dump);
    dj_gfxinfo_print_dump(&text, &dump, &options);
    check(dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &again, NULL, NULL) ==
          0);
    check(frames_of(&again) == frames);
    dj_gfxinfo_dump_finish(&again);
    dj_gfxinfo_dump_finish(&dump);
    dj_text_finish(&text);
    return frames;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct dj_log log;
    struct dj_error err = {0};
    int code = dj_import_read_log(bytes, size, &log, &err);
    check(code == 0 || (err.code == code && err.message[0] != '\0'));
    check_log(&log, lines_of(bytes, size));
    if (code == 0) {
        check(log.frames > 0 && dj_import_is_log(bytes, size));
        size_t frames = 0;
        for (size_t run = 0; run < dj_import_count_runs(&log); run++) {
            frames += check_dump(&log, run);
        }
        check(frames == log.frames);
    }
    dj_import_finish_log(&log);
    return 0;
}
