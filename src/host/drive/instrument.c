#include "drive/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Time limit for listing the packages, which takes long on a busy device. */
    LIST_NS_S = 30,
    /* Number of readings of the clock per sample. The most accurate reading is used. */
    CLOCK_SAMPLES = 3,
    /* Maximum number of words in the command line of am. */
    ARGUMENTS_MAX = 128,
    /* Maximum number of bytes of the stream that are stored as evidence. */
    EVIDENCE_MAX = 16 * 1024 * 1024,
    CHUNK_MAX = 8 * 1024 * 1024 /* Maximum number of bytes that one call reads. */
};

#define READ_NS (500 * DJ_MILLISECOND_NS)
#define STOP_NS (5 * DJ_SECOND_NS)

struct instrument {
    const struct dj_instrument_request *request;
    struct dj_instrumentation found;
};

static int find_instrumentation(void *self, struct dj_device *device,
                                struct dj_error *err)
{
    static const char *const argv[] = {"pm", "list", "instrumentation", NULL};
    struct instrument *instrument = self;
    struct dj_device_result result = {0};
    int code = dj_device_run(device, argv, LIST_NS_S * DJ_SECOND_NS, &result, err);
    /* If pm does not exist, this machine returns this error, and a device returns an exit
     * code. */
    bool has_no_pm = code == DJ_E_NOT_FOUND;
    if (has_no_pm ||
        (code == 0 && (result.exit_code == 127 || result.exit_code == 126))) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s has no pm: instrumentation tests need Android",
                            device->name);
    } else if (code == 0 && result.exit_code != 0) {
        code =
            dj_error_set(err, DJ_E_NO_DATA, "%s: pm list instrumentation failed: %.200s",
                         device->name, dj_device_error_line(&result).line);
    } else if (code == 0) {
        code = dj_instrument_find(dj_text_get(&result.out), result.out.length,
                                  instrument->request->instrumentation,
                                  &instrument->found, err);
    }
    dj_device_result_finish(&result);
    return code;
}

/* The state of one run of the tests. */
struct play {
    struct dj_device *device;
    struct dj_drive_log *log;
    struct dj_instrument_stream *stream;
    /* `chunk` is the last output that was read. `stderr_text` is a newline and then all
     * of stderr. */
    struct dj_text chunk, stderr_text;
    struct dj_instrument_clock map;
    int64_t ended_host_ns;
    int exit_code;
};

/* Reads the clock several times and returns the sample with the smallest uncertainty. The
 * first reading from a device is the least accurate. */
static struct dj_instrument_clock_sample sample_clock(struct dj_device *device)
{
    struct dj_instrument_clock_sample best = {.host_ns = dj_host_now_ns(),
                                              .uncertainty_ns = -1};
    for (int i = 0; i < CLOCK_SAMPLES; i++) {
        struct dj_instrument_clock_sample one = {0};
        if (dj_device_read_clock(device, &one.dev_ns, &one.uncertainty_ns, NULL) != 0) {
            break;
        }
        one.host_ns = dj_host_now_ns();
        bool better = best.uncertainty_ns < 0 || one.uncertainty_ns < best.uncertainty_ns;
        best = better ? one : best;
    }
    return best;
}

/* An argument that makes the runner of AndroidX pause after each test, in ms. In this
 * time, dejank reads the frames of the test before Android stops the app. */
#define PAUSE_NAME "delay_msec"
#define PAUSE "1000"

struct command {
    const char *argv[ARGUMENTS_MAX];
    size_t count;
};

static void add_extra(struct command *command, const char *name, const char *value)
{
    /* There must also be room for the component and for NULL. */
    if (command->count + 5 <= ARGUMENTS_MAX) {
        command->argv[command->count++] = "-e";
        command->argv[command->count++] = name;
        command->argv[command->count++] = value;
    }
}

static void fill_command(const struct instrument *instrument, struct command *command)
{
    const struct dj_instrument_request *request = instrument->request;
    bool pause = true;
    if (request->test != NULL) {
        add_extra(command, "class", request->test);
    }
    for (const char *const *pair = request->arguments;
         pair != NULL && pair[0] != NULL && pair[1] != NULL; pair += 2) {
        add_extra(command, pair[0], pair[1]);
        pause = pause && strcmp(pair[0], PAUSE_NAME) != 0;
    }
    if (pause) {
        add_extra(command, PAUSE_NAME, PAUSE);
    }
    command->argv[command->count++] = instrument->found.component;
    command->argv[command->count] = NULL;
}

static void append_evidence(struct play *play, const struct dj_text *bytes)
{
    struct dj_text *evidence = &play->log->stream;
    size_t space = evidence->length < EVIDENCE_MAX ? EVIDENCE_MAX - evidence->length : 0;
    size_t length = bytes->length < space ? bytes->length : space;
    dj_text_append(evidence, dj_text_get(bytes), length);
}

/* Returns the number of tests that have ended. */
static uint32_t count_ended(const struct dj_test_results *results)
{
    return dj_facts_tests_reported_count(results) - results->count[DJ_TEST_NOT_FINISHED];
}

/* Passes new output to the stream reader, and calls log->ended if a test has ended. */
static int feed_stream(struct play *play, struct dj_error *err)
{
    const struct dj_test_results *results =
        dj_drive_instrument_stream_results(play->stream);
    uint32_t before = count_ended(results);
    append_evidence(play, &play->chunk);
    int code =
        dj_drive_instrument_stream_feed(play->stream, dj_text_get(&play->chunk),
                                        play->chunk.length, play->ended_host_ns, err);
    if (count_ended(results) > before && play->log->ended != NULL) {
        play->log->ended(play->log->user);
    }
    return code;
}

/* Reads all output until the command ends or an error occurs. */
static int read_stream(struct play *play, struct dj_device_process *process,
                       struct dj_error *err)
{
    bool ended = false;
    int code = 0;
    while (code == 0 && !ended) {
        dj_text_clear(&play->chunk);
        code = dj_device_process_read(process, READ_NS, &play->chunk, &play->stderr_text,
                                      &ended, err);
        play->ended_host_ns = dj_host_now_ns();
        int taken = feed_stream(play, code == 0 ? err : NULL);
        code = code == 0 ? taken : code;
    }
    play->exit_code = dj_device_process_exit_code(process);
    return code;
}

/* Passes the stderr of am to the stream reader and ends the stream. stderr comes last,
 * because it cannot become part of a value there. */
static int end_stream(struct play *play, struct dj_error *err)
{
    int code = 0;
    if (play->stderr_text.length > strlen("\n")) {
        append_evidence(play, &play->stderr_text);
        code = dj_drive_instrument_stream_feed(
            play->stream, dj_text_get(&play->stderr_text), play->stderr_text.length,
            play->ended_host_ns, err);
    }
    return code == 0
               ? dj_drive_instrument_stream_end(play->stream, play->ended_host_ns, err)
               : code;
}

/* Stops the tests with `am force-stop`, because the device continues them after an
 * interrupt, a time-out or too much output has ended `am instrument`. The interrupt
 * request is removed while `am` runs, because the request would end `am` at once. */
static void stop_tests(const struct instrument *instrument, struct dj_device *device)
{
    const char *const argv[] = {"am", "force-stop", instrument->found.target, NULL};
    struct dj_interrupt_request interrupt = device->interrupt;
    struct dj_device_result result = {0};
    if (instrument->found.target[0] != '\0') {
        device->interrupt = (struct dj_interrupt_request){.latest_ns = NULL};
        dj_device_run(device, argv, STOP_NS, &result, NULL);
        device->interrupt = interrupt;
    }
    dj_device_result_finish(&result);
}

static int play_tests(const struct instrument *instrument, struct play *play,
                      struct dj_error *err)
{
    struct command command = {.argv = {"am", "instrument", "-w", "-r"}, .count = 4};
    struct dj_device_process *process = NULL;
    fill_command(instrument, &command);
    int code = dj_device_start(play->device, command.argv, &process, err);
    if (code == 0) {
        code = read_stream(play, process, err);
        int ended = end_stream(play, code == 0 ? err : NULL);
        code = code == 0 ? ended : code;
        dj_device_process_close(process);
        if (code == DJ_E_INTERRUPTED || code == DJ_E_LIMIT) {
            stop_tests(instrument, play->device);
        }
    }
    return code;
}

/* Converts a host time to the clock of the device. If *at_ns is −1, does not change
 * it. */
static void convert_stamp(const struct dj_instrument_clock *map, int64_t *at_ns)
{
    *at_ns = *at_ns >= 0 ? dj_instrument_clock_to_device(map, *at_ns) : -1;
}

static void set_outcome(struct play *play, const struct dj_test_results *results)
{
    static const enum dj_run_outcome outcomes[] = {
        [DJ_TESTS_PASSED] = DJ_RUN_OK,
        [DJ_TESTS_FAILED] = DJ_RUN_INSTRUMENTATION_FAILED,
        [DJ_TESTS_CRASHED] = DJ_RUN_APP_CRASHED,
    };
    char reason[sizeof(play->log->reason)];
    struct dj_text escaped = {.maximum = sizeof(reason) * 4 + 64};
    enum dj_test_verdict verdict = dj_facts_tests_judge(results, reason, sizeof(reason));
    dj_text_append_escaped_name(&escaped, reason);
    if (verdict == DJ_TESTS_FAILED && !results->has_code && play->exit_code > 0) {
        dj_text_format(&escaped, " (exit code of am: %d)", play->exit_code);
    }
    play->log->outcome = outcomes[verdict];
    snprintf(play->log->reason, sizeof(play->log->reason), "%s", dj_text_get(&escaped));
    dj_text_finish(&escaped);
}

/* Adds the windows, sets the outcome, and passes the results to the caller, also after an
 * incomplete run. */
static int report_results(const struct instrument *instrument, struct play *play,
                          struct dj_error *err)
{
    const struct dj_test_results *results =
        dj_drive_instrument_stream_results(play->stream);
    const struct dj_instrument_request *request = instrument->request;
    play->log->uncertainty_ns = dj_instrument_clock_uncertainty_ns(&play->map);
    for (size_t i = 0; i < results->test_count; i++) {
        convert_stamp(&play->map, &results->tests[i].begin_ns);
        convert_stamp(&play->map, &results->tests[i].end_ns);
    }
    int64_t ended_ns = dj_instrument_clock_to_device(&play->map, play->ended_host_ns);
    set_outcome(play, results);
    if (request->done != NULL) {
        request->done(request->user, play->device, results);
    }
    return dj_instrument_add_windows(play->log, results, ended_ns)
               ? 0
               : dj_error_set(err, DJ_E_NO_MEMORY, "no memory for the tests' windows");
}

static int drive_tests(void *self, struct dj_device *device, struct dj_drive_log *log,
                       struct dj_error *err)
{
    struct play play = {.device = device,
                        .log = log,
                        .stream = dj_drive_instrument_stream_create(),
                        .chunk = {.maximum = CHUNK_MAX},
                        .stderr_text = {.maximum = CHUNK_MAX},
                        .map = {.before = sample_clock(device)},
                        .exit_code = -1};
    dj_text_add(&play.stderr_text, "\n");
    if (play.stream == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no memory for the tests' results");
    }
    int code = 0;
    if (play.map.before.uncertainty_ns < 0) {
        int64_t dev_ns;
        int64_t uncertainty_ns;
        /* Reads the clock again to get the error, which sample_clock() does not return.
         */
        code = dj_device_read_clock(device, &dev_ns, &uncertainty_ns, err);
    }
    if (code == 0) {
        code = play_tests(self, &play, err);
        play.map.after =
            code == 0 ? sample_clock(device)
                      : (struct dj_instrument_clock_sample){.host_ns = dj_host_now_ns(),
                                                            .uncertainty_ns = -1};
        int reported = report_results(self, &play, code == 0 ? err : NULL);
        code = code == 0 ? reported : code;
    }
    dj_drive_instrument_stream_destroy(play.stream);
    dj_text_finish(&play.chunk);
    dj_text_finish(&play.stderr_text);
    return code;
}

int dj_drive_instrument_create(const void *request, struct dj_device *device,
                               struct dj_driver *driver, struct dj_error *err)
{
    (void)device;
    struct instrument *instrument = calloc(1, sizeof(*instrument));
    if (instrument == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no memory for a driver");
    }
    instrument->request = request;
    *driver = (struct dj_driver){.kind = "instrument",
                                 .self = instrument,
                                 .prepare = find_instrumentation,
                                 .drive = drive_tests,
                                 .ends_window = true,
                                 .starts_app = true};
    return 0;
}

void dj_drive_instrument_destroy(struct dj_driver *driver)
{
    free(driver->self);
    driver->self = NULL;
}
