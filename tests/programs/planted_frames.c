/* Draws frames that are late for known reasons: a loop at 60 Hz with the stages of a
 * plan and up to four plants. Each plant has a kind, a size and a stage, and occurs in
 * chosen frames. The duration of each plant is measured while it runs, independently of
 * a trace. It is measured with the thread's clocks and with the time that the thread
 * waited for a CPU (schedstat).
 *
 *   planted_frames PLAN                           draws frames and writes the truth,
 *                                                 a JSON file with the measured times
 *   planted_frames peer ADDRESS BUS_NAME THREAD busy|idle
 *                                                 runs the peer of D-Bus calls
 *   planted_frames load THREAD SEED SECONDS       uses about a third of a CPU
 *   planted_frames can dbus                       exit status 0 if built with D-Bus
 *
 * The sections, including those of frames ("NAME 12"), are recorded by libdejank or
 * written to a trace_marker. */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "planted.h"

enum { MILLISECOND = 1000000, LEAD = 20 * MILLISECOND, LEAST_PAUSE = 3 * MILLISECOND };

struct stage_use {
    int64_t cpu_ns; /* CPU time without that of the plants with sections. */
    int64_t wall_ns;
};

struct frame_use {
    int64_t start_ns;
    struct meter used;
    struct stage_use stages[STAGES_MOST];
    struct taken plants[PLANTS_MOST];
};

static struct plan plan;
static struct frame_use frames[FRAMES_MOST];

/* ---- a frame ---- */

struct part {
    int stage, frame;
};

static void do_part(void *user)
{
    const struct part *part = user;
    const struct stage *stage = &plan.stages[part->stage];
    struct frame_use *frame = &frames[part->frame];
    struct meter before = meter_now();
    int64_t in_sections_ns = 0;
    burn(stage->work_ns);
    for (int i = 0; i < plan.plant_count; i++) {
        struct plant *plant = &plan.plants[i];
        if (plant->stage == part->stage && plant->at[part->frame]) {
            frame->plants[i] = plant_do(plant, &plan);
            in_sections_ns += plant->name[0] != '\0' ? frame->plants[i].used.cpu_ns : 0;
        }
    }
    struct meter used = meter_since(before);
    frame->stages[part->stage] =
        (struct stage_use){used.cpu_ns - in_sections_ns, used.wall_ns};
}

static void do_frame(int index)
{
    char name[NAME_BYTES + 16];
    snprintf(name, sizeof name, "%s %d", plan.frame, index);
    mark_begin(name);
    struct meter before = meter_now();
    for (int i = 0; i < plan.stage_count; i++) {
        struct part part = {i, index};
        mark_begin(plan.stages[i].name);
        if (plan.stages[i].on_worker) {
            worker_do(do_part, &part);
        } else {
            do_part(&part);
        }
        mark_end();
    }
    frames[index].start_ns = before.wall_ns;
    frames[index].used = meter_since(before);
    mark_end();
    for (int i = 0; i < plan.plant_count; i++) {
        if (plan.plants[i].kind == COMPETITOR && plan.plants[i].at[index]) {
            frames[index].plants[i].special_ns = competitor_burst(&plan.plants[i]);
        }
    }
}

static void do_frames(struct next_frame *next)
{
    int64_t at_ns = now_ns() + LEAD;
    for (int i = 0; i < plan.frames; i++) {
        atomic_store(&next->start_ns, at_ns);
        atomic_store(&next->index, i);
        sleep_until(at_ns);
        do_frame(i);
        int64_t now = now_ns();
        do {
            at_ns += plan.period_ns;
        } while (at_ns < now + LEAST_PAUSE);
    }
    atomic_store(&next->index, plan.frames);
    atomic_store(&next->over, true);
}

/* ---- the truth ---- */

static void write_frame(FILE *out, const struct frame_use *frame)
{
    fprintf(out, "{\"start_ns\":%lld,\"wall_ns\":%lld,\"cpu_ns\":%lld,\"delay_ns\":%lld,",
            (long long)frame->start_ns, (long long)frame->used.wall_ns,
            (long long)frame->used.cpu_ns, (long long)frame->used.delay_ns);
    fprintf(out, "\"stages\":[");
    for (int i = 0; i < plan.stage_count; i++) {
        fprintf(out, "%s{\"cpu_ns\":%lld,\"wall_ns\":%lld}", i == 0 ? "" : ",",
                (long long)frame->stages[i].cpu_ns, (long long)frame->stages[i].wall_ns);
    }
    fprintf(out, "],\"plants\":[");
    for (int i = 0; i < plan.plant_count; i++) {
        const struct taken *taken = &frame->plants[i];
        fprintf(out, "%s{\"wall_ns\":%lld,\"cpu_ns\":%lld,\"ran_ns\":%lld,",
                i == 0 ? "" : ",", (long long)taken->used.wall_ns,
                (long long)taken->used.cpu_ns, (long long)taken->used.ran_ns);
        fprintf(out, "\"delay_ns\":%lld,\"special_ns\":%lld}",
                (long long)taken->used.delay_ns, (long long)taken->special_ns);
    }
    fprintf(out, "]}");
}

static void write_truth(void)
{
    FILE *out = fopen(plan.truth, "w");
    if (out == NULL) {
        fail(plan.truth);
    }
    fprintf(out, "{\"pid\":%d,\"frames\":[\n", (int)getpid());
    for (int i = 0; i < plan.frames; i++) {
        fprintf(out, "%s", i == 0 ? "" : ",\n");
        write_frame(out, &frames[i]);
    }
    fprintf(out, "]}\n");
    if (fclose(out) != 0) {
        fail(plan.truth);
    }
}

/* ---- set-up ---- */

static void bind_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        fail("CPU");
    }
}

static bool has(enum plant_kind kind)
{
    for (int i = 0; i < plan.plant_count; i++) {
        if (plan.plants[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static void each(enum plant_kind kind, void (*what)(struct plant *plant))
{
    for (int i = 0; i < plan.plant_count; i++) {
        if (plan.plants[i].kind == kind) {
            what(&plan.plants[i]);
        }
    }
}

static struct next_frame next_frame;

static void start_competitor(struct plant *plant)
{
    competitor_start(plant, plan.cpu);
}

static void start_holder(struct plant *plant)
{
    holder_start(plant, &next_frame);
}

static void become_user(void)
{
    gid_t group = (gid_t)plan.user;
    if (plan.user >= 0 &&
        (setgroups(0, NULL) != 0 || setgid(group) != 0 || setuid((uid_t)plan.user) != 0 ||
         prctl(PR_SET_DUMPABLE, 1) != 0)) {
        fail("user");
    }
}

static int run_plan(const char *name)
{
    FILE *in = fopen(name, "r");
    if (in == NULL) {
        fail(name);
    }
    plan_read(&plan, in);
    fclose(in);
    marks_open(plan.markers);
    each(COMPETITOR, start_competitor);
    become_user();
    if (has(BUS)) {
        bus_connect(plan.address);
    }
    each(LOCK, start_holder);
    if (plan.worker[0] != '\0') {
        worker_start(&plan);
    }
    name_thread(plan.main);
    if (plan.cpu >= 0) {
        bind_to(plan.cpu);
    }
    do_frames(&next_frame);
    each(LOCK, holder_stop);
    if (plan.worker[0] != '\0') {
        worker_stop();
    }
    each(COMPETITOR, competitor_stop);
    bus_close();
    write_truth();
    return 0;
}

/* Creates background load: work of 1 … 3 ms and pauses of 3 … 6 ms, alternating. */
static int run_load(const char *thread, unsigned seed, int seconds)
{
    name_thread(thread);
    int64_t until_ns = now_ns() + (int64_t)seconds * 1000 * MILLISECOND;
    while (now_ns() < until_ns) {
        seed = seed * 1664525u + 1013904223u;
        burn(MILLISECOND + (int64_t)(seed >> 16) % (2 * MILLISECOND));
        seed = seed * 1664525u + 1013904223u;
        sleep_until(now_ns() + 3 * MILLISECOND +
                    (int64_t)(seed >> 8) % (3 * MILLISECOND));
    }
    return 0;
}

int main(int count, char **words)
{
    if (count == 2) {
        return run_plan(words[1]);
    }
    if (count == 3 && strcmp(words[1], "can") == 0 && strcmp(words[2], "dbus") == 0) {
        return bus_built_in() ? 0 : 1;
    }
    if (count == 5 && strcmp(words[1], "load") == 0) {
        return run_load(words[2], (unsigned)strtoul(words[3], NULL, 10), atoi(words[4]));
    }
    if (count == 6 && strcmp(words[1], "peer") == 0) {
        return bus_peer(words[2], words[3], words[4], strcmp(words[5], "busy") == 0);
    }
    errno = EINVAL;
    fail("arguments");
}
