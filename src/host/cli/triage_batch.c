#include "cli/triage_batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/show_traces.h"
#include "trace/read.h"

/* A file of our own without a name: readers of traces take files. −1 with errno. */
static int file_of(const struct dj_text *bytes)
{
    int fd = memfd_create("dejank-trace", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < bytes->length;) {
        ssize_t wrote = write(fd, bytes->data + at, bytes->length - at);
        if (wrote <= 0) {
            close(fd);
            return -1;
        }
        at += (size_t)wrote;
    }
    return fd;
}

static int read_bytes(const struct dj_text *bytes, struct dj_trace *trace,
                      struct dj_error *err)
{
    char path[64];
    int fd = file_of(bytes);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no room for a trace: %s",
                            strerror(errno));
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    int code = dj_trace_read(path, trace, err);
    close(fd);
    return code;
}

static int add_bytes(struct dj_triage *triage, const struct dj_text *bytes,
                     const char *name, bool base, struct dj_error *err)
{
    struct dj_trace trace = {.keep_marks = true};
    int code = read_bytes(bytes, &trace, err);
    if (code == 0) {
        code = base ? dj_triage_add_base(triage, &trace, err)
                    : dj_triage_add(triage, &trace, name, err);
    }
    dj_trace_finish(&trace);
    return code;
}

/* 0 also where the run's trace tells nothing: the others may. */
static int add_run(struct dj_triage *triage, struct dj_history *history,
                   const struct dj_run_row *run, bool base, size_t *traces,
                   struct dj_text *notes, struct dj_error *err)
{
    struct dj_text bytes = {0};
    struct dj_error fault = {0};
    char name[DJ_RUN_TRACE_NAME];
    int code = dj_run_trace_read(history, run->key, &bytes, &fault);
    if (code == 0) {
        dj_run_trace_name(run, name);
        code = add_bytes(triage, &bytes, name, base, &fault);
        *traces += code == 0;
        if (code != 0 && code != DJ_E_NO_MEMORY) {
            dj_text_format(notes, "%s is left out: %s\n", name, fault.message);
            code = 0;
        }
    } else if (code == DJ_E_NOT_FOUND) {
        code = 0;
    }
    dj_text_finish(&bytes);
    if (code != 0 && err != NULL) {
        *err = fault;
    }
    return code;
}

int dj_triage_add_batch(struct dj_triage *triage, struct dj_history *history,
                        int64_t batch, bool base, size_t *traces, struct dj_text *notes,
                        struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int code = dj_loaded_batch_load(history, batch, &loaded, err);
    *traces = 0;
    for (size_t i = 0; i < loaded.run_count && code == 0; i++) {
        if (dj_run_row_counts(&loaded.runs[i])) {
            code = add_run(triage, history, &loaded.runs[i], base, traces, notes, err);
        }
    }
    dj_loaded_batch_finish(&loaded);
    if (code == 0 && *traces == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "no run of that batch has a trace that shows frames: dejank "
                            "run --trace makes them");
    }
    return code;
}
