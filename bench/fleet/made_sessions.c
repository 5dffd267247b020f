/* made_sessions: writes the sessions of a made-up fleet to stdout, as RowBinary or as
 * JSON lines. `make demo-fleet`, its test and bench/fleet load them.
 *
 * Each session depends only on the seed and its number. The fleet has three versions. The
 * newest one is rolled out to powerful devices first, so it looks faster than the others
 * as a whole. In one app it renders slower on low-end devices: the planted regression. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../accuracy/random.h"
#include "fleet/session.h"
#include "frame/histogram.h"

enum {
    DAYS = 28,
    ROLLOUT_DAY = 14,      /* From this day on, users have the newest version. */
    DRAWS = 20,            /* Frame times drawn per session, each for many frames. */
    LONG_DRAWS = 4,        /* The same for its long frames. */
    FRAMES_MOST = 20000,   /* Maximum number of frames of a session. */
    BLOCK_BYTES = 1 << 20, /* Size from which a block is written. */
    VERSIONS = 3,
    NEWEST = VERSIONS - 1,
    DAY_S = 24 * 3600,
};
#define MILLISECOND_NS 1e6
/* 2026-03-02, a Monday: the days of the fleet are four whole weeks. */
#define FIRST_DAY_UNIX_S INT64_C(1772409600)

enum device_class { LOW_END, MID_RANGE, HIGH_END, CLASSES };

/* Frame times of a class: median, share of the frames that take much longer, and share of
 * the sessions with a frozen frame. */
struct speed {
    double median_ms, long_share, frozen_share;
};
static const struct {
    const char *name;
    int64_t ram_mb;
    struct speed speed;
} classes[CLASSES] = {
    [LOW_END] = {"low-end", 2048, {10.5, 0.03, 0.02}},
    [MID_RANGE] = {"mid-range", 6144, {8.0, 0.015, 0.01}},
    [HIGH_END] = {"high-end", 12288, {5.5, 0.008, 0.005}},
};

/* Device models, in the order of the classes. Each class has the same number. */
static const struct model {
    const char *name, *release, *gpu;
    int64_t refresh_hz;
} models[] = {
    {"Moto E13", "13", "Mali-G57", 60},       {"Galaxy A03", "12", "PowerVR GE8320", 60},
    {"Redmi A2", "13", "PowerVR GE8320", 60}, {"Nokia C12", "12", "PowerVR GE8322", 60},
    {"Pixel 6a", "15", "Mali-G78", 60},       {"Galaxy A54", "14", "Mali-G68", 120},
    {"Moto G84", "14", "Adreno 619", 120},    {"Redmi Note 12", "14", "Adreno 610", 120},
    {"Pixel 8", "15", "Mali-G715", 120},      {"Galaxy S23", "15", "Adreno 740", 120},
    {"OnePlus 11", "14", "Adreno 740", 120},  {"Xiaomi 13", "14", "Adreno 740", 120},
};
enum { MODELS = COUNT_OF(models), MODELS_PER_CLASS = MODELS / CLASSES };

/* The versions, and the shares of the classes among their users. */
static const struct {
    const char *name;
    int64_t code;
    double share[CLASSES];
} versions[VERSIONS] = {
    {"4.0", 400, {0.35, 0.40, 0.25}},
    {"4.1", 410, {0.35, 0.40, 0.25}},
    {"4.2", 420, {0.08, 0.22, 0.70}},
};

/* The planted regression: the first app, the newest version, low-end devices. */
#define PLANTED_MEDIAN_FACTOR 1.2
#define PLANTED_LONG_FACTOR 2

struct options {
    int64_t count, seed, apps, models;
    bool json;
};

/* The first app has half of the sessions, the second one half of the rest, and so on. */
static size_t choose_app(struct dj_random *random, size_t apps)
{
    size_t app = 0;
    while (app + 1 < apps && dj_random_uniform(random) < 0.5) {
        app++;
    }
    return app;
}

static size_t choose_version(struct dj_random *random, int64_t day)
{
    double progress =
        day < ROLLOUT_DAY ? 0 : (double)(day - ROLLOUT_DAY + 1) / (DAYS - ROLLOUT_DAY);
    if (dj_random_uniform(random) < 0.6 * progress) {
        return NEWEST;
    }
    return dj_random_uniform(random) < 0.8 ? 1 : 0;
}

static enum device_class choose_class(struct dj_random *random, size_t version)
{
    double at = dj_random_uniform(random);
    int class = 0;
    while (class + 1 < CLASSES && at >= versions[version].share[class]) {
        at -= versions[version].share[class ++];
    }
    return (enum device_class) class;
}

/* Counts frames with times drawn around the median. */
static void spread_frames(struct dj_random *random, struct dj_session_histogram *times,
                          int64_t frames, int draws, double median_ms)
{
    for (int i = 0; i < draws; i++) {
        double ms = median_ms * exp(0.35 * dj_random_normal(random));
        int64_t share = frames / draws + (i < frames % draws ? 1 : 0);
        times->count[dj_frame_bucket((int64_t)(ms * MILLISECOND_NS))] += (uint32_t)share;
    }
}

static void draw_frames(struct dj_random *random, struct dj_session *session,
                        const struct speed *speed)
{
    struct dj_session_histogram *times = &session->histogram[DJ_SESSION_FRAME_TIME];
    double median_ms = speed->median_ms * exp(0.2 * dj_random_normal(random));
    int64_t frames = 1 + (int64_t)(700 * exp(0.8 * dj_random_normal(random)));
    frames = frames < FRAMES_MOST ? frames : FRAMES_MOST;
    int64_t long_frames =
        (int64_t)dj_random_poisson(random, speed->long_share * (double)frames);
    long_frames = long_frames < frames ? long_frames : frames;
    bool has_frozen =
        long_frames < frames && dj_random_uniform(random) < speed->frozen_share;
    double frozen_ms = 700 + 2000 * dj_random_uniform(random);

    times->is_known = true;
    times->count[dj_frame_bucket((int64_t)(frozen_ms * MILLISECOND_NS))] += has_frozen;
    spread_frames(random, times, long_frames, LONG_DRAWS,
                  median_ms * (3 + 4 * dj_random_uniform(random)));
    spread_frames(random, times, frames - long_frames - has_frozen, DRAWS, median_ms);
    session->counter[DJ_SESSION_FRAMES] = frames;
    dj_session_count_slow(session);
    session->counter[DJ_SESSION_JANKY] = session->counter[DJ_SESSION_SLOW];
    session->counter[DJ_SESSION_SLOW_UI_THREAD] = long_frames;
}

static void set_device(struct dj_random *random, struct dj_session *session,
                       enum device_class class, const struct options *options)
{
    size_t number = dj_random_below(random, (size_t)options->models / CLASSES);
    const struct model *model =
        &models[(size_t) class * MODELS_PER_CLASS + number % MODELS_PER_CLASS];
    char name[DJ_SESSION_TEXT_MOST];
    snprintf(name, sizeof(name), number < MODELS_PER_CLASS ? "%s" : "%s (%zu)",
             model->name, number / MODELS_PER_CLASS + 1);
    dj_session_set_text(session, DJ_SESSION_DEVICE, name);
    dj_session_set_text(session, DJ_SESSION_CLASS, classes[class].name);
    dj_session_set_text(session, DJ_SESSION_RELEASE, model->release);
    dj_session_set_text(session, DJ_SESSION_GPU, model->gpu);
    session->refresh_hz = model->refresh_hz;
    session->ram_mb = classes[class].ram_mb;
}

/* Returns the frame times of a session: those of its class, or the planted regression. */
static struct speed choose_speed(size_t app, size_t version, enum device_class class)
{
    struct speed speed = classes[class].speed;
    if (app == 0 && version == NEWEST && class == LOW_END) {
        speed.median_ms *= PLANTED_MEDIAN_FACTOR;
        speed.long_share *= PLANTED_LONG_FACTOR;
    }
    return speed;
}

static void fill_session(struct dj_session *session, const struct options *options,
                         int64_t number)
{
    struct dj_random random = dj_random_of((uint64_t)options->seed, (uint64_t)number);
    dj_session_init(session);
    for (size_t i = 0; i < DJ_SESSION_ID_BYTES; i++) {
        session->id[i] = (uint8_t)dj_random_below(&random, 256);
    }
    size_t app = choose_app(&random, (size_t)options->apps);
    int64_t day = (int64_t)dj_random_below(&random, DAYS);
    size_t version = choose_version(&random, day);
    enum device_class class = choose_class(&random, version);
    struct speed speed = choose_speed(app, version, class);
    char name[32];
    snprintf(name, sizeof(name), app == 0 ? "com.example.mail" : "com.example.app%zu",
             app);
    dj_session_set_text(session, DJ_SESSION_APP, name);
    dj_session_set_text(session, DJ_SESSION_VERSION, versions[version].name);
    session->version_code = versions[version].code;
    set_device(&random, session, class, options);
    dj_session_set_start(session, FIRST_DAY_UNIX_S + day * DAY_S +
                                      (int64_t)dj_random_below(&random, DAY_S));
    draw_frames(&random, session, &speed);
}

static bool write_block(struct dj_text *text)
{
    bool is_written =
        !text->failed && fwrite(text->data, 1, text->length, stdout) == text->length;
    dj_text_clear(text);
    return is_written;
}

static bool write_sessions(const struct options *options)
{
    struct dj_text text = {0};
    bool is_written = true;
    for (int64_t i = 0; i < options->count && is_written; i++) {
        struct dj_session session;
        fill_session(&session, options, i);
        (options->json ? dj_session_write_json : dj_session_write_row)(&text, &session);
        if (text.length >= BLOCK_BYTES) {
            is_written = write_block(&text);
        }
    }
    is_written = is_written && write_block(&text) && fflush(stdout) == 0;
    dj_text_finish(&text);
    return is_written;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option names[] = {{"seed", required_argument, NULL, 's'},
                                          {"apps", required_argument, NULL, 'a'},
                                          {"models", required_argument, NULL, 'm'},
                                          {"json", no_argument, NULL, 'j'},
                                          {NULL, 0, NULL, 0}};
    int option;
    bool is_good = true;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        int64_t *to = option == 's'   ? &options->seed
                      : option == 'a' ? &options->apps
                                      : &options->models;
        options->json |= option == 'j';
        is_good = is_good && option != '?' &&
                  (option == 'j' || dj_str_int(dj_str_of(optarg), to));
    }
    return is_good && optind + 1 == argc &&
           dj_str_int(dj_str_of(argv[optind]), &options->count) && options->count >= 0 &&
           options->apps >= 1 && options->models >= CLASSES;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .apps = 8, .models = MODELS};
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: made_sessions COUNT [--seed N] [--apps N] [--models N] "
                        "[--json] >FILE\n");
        return 2;
    }
    if (!write_sessions(&options)) {
        fprintf(stderr, "made_sessions: cannot write to stdout: %m\n");
        return 1;
    }
    return 0;
}
