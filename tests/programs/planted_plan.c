/* Reads a plan. Each line has fields separated by tabs:
 *
 *   frames COUNT PERIOD_US NAME
 *   main THREAD CPU USER                 (−1: any CPU, unchanged user)
 *   stage NAME WORK_US [worker]
 *   worker THREAD SECTION
 *   plant KIND STAGE NAME SIZE_US FRAME,FRAME,… [HOLDER SECTION busy|idle]
 *                                        (STAGE: number of the stage, from 0;
 *                                        SECTION of a D-Bus plant: the peer's name)
 *   markers TRACE_MARKER
 *   file PATH                            (for fsync)
 *   bus ADDRESS
 *   truth PATH */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "planted.h"

enum { FIELDS_MOST = 10 };

static const char *const kind_names[PLANT_KINDS] = {
    "stage", "section", "lock", "competitor", "fsync", "dbus", "sleep", "late"};

static void copy(char *to, size_t size, const char *text)
{
    if ((size_t)snprintf(to, size, "%s", text) >= size) {
        errno = ENAMETOOLONG;
        fail(text);
    }
}

#define COPY(to, text) copy(to, sizeof(to), text)

static int64_t microseconds(const char *text)
{
    return strtoll(text, NULL, 10) * 1000;
}

static enum plant_kind kind_of(const char *name)
{
    for (int i = 0; i < PLANT_KINDS; i++) {
        if (strcmp(name, kind_names[i]) == 0) {
            return (enum plant_kind)i;
        }
    }
    errno = EINVAL;
    fail(name);
}

static void read_frames_of(struct plant *plant, char *list)
{
    for (char *at = list; *at != '\0';) {
        long index = strtol(at, &at, 10);
        if (index < 0 || index >= FRAMES_MOST) {
            errno = ERANGE;
            fail("frame of a plant");
        }
        plant->at[index] = true;
        at += *at == ',';
    }
}

static void take_frames(struct plan *plan, char **field)
{
    plan->frames = atoi(field[1]);
    plan->period_ns = microseconds(field[2]);
    COPY(plan->frame, field[3]);
}

static void take_main(struct plan *plan, char **field)
{
    COPY(plan->main, field[1]);
    plan->cpu = atoi(field[2]);
    plan->user = atoi(field[3]);
}

static void take_stage(struct plan *plan, char **field)
{
    struct stage *stage = &plan->stages[plan->stage_count++ % STAGES_MOST];
    COPY(stage->name, field[1]);
    stage->work_ns = microseconds(field[2]);
    stage->on_worker = strcmp(field[3], "worker") == 0;
}

static void take_worker(struct plan *plan, char **field)
{
    COPY(plan->worker, field[1]);
    COPY(plan->worker_section, field[2]);
}

static void take_plant(struct plan *plan, char **field)
{
    struct plant *plant = &plan->plants[plan->plant_count++ % PLANTS_MOST];
    plant->kind = kind_of(field[1]);
    plant->stage = atoi(field[2]);
    COPY(plant->name, field[3]);
    plant->size_ns = microseconds(field[4]);
    read_frames_of(plant, field[5]);
    COPY(plant->holder, field[6]);
    COPY(plant->held_in, field[7]);
    plant->busy = strcmp(field[8], "busy") == 0;
}

static void take_markers(struct plan *plan, char **field)
{
    COPY(plan->markers, field[1]);
}

static void take_file(struct plan *plan, char **field)
{
    COPY(plan->file, field[1]);
}

static void take_bus(struct plan *plan, char **field)
{
    COPY(plan->address, field[1]);
}

static void take_truth(struct plan *plan, char **field)
{
    COPY(plan->truth, field[1]);
}

static const struct {
    const char *name;
    void (*take)(struct plan *plan, char **field);
} lines[] = {{"frames", take_frames}, {"main", take_main},   {"stage", take_stage},
             {"worker", take_worker}, {"plant", take_plant}, {"markers", take_markers},
             {"file", take_file},     {"bus", take_bus},     {"truth", take_truth}};

static void take_line(struct plan *plan, char *line)
{
    static char nothing[1];
    char *field[FIELDS_MOST];
    for (int i = 0; i < FIELDS_MOST; i++) {
        field[i] = line == NULL ? nothing : strsep(&line, "\t\n");
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strcmp(field[0], lines[i].name) == 0) {
            lines[i].take(plan, field);
            return;
        }
    }
    errno = EINVAL;
    fail(field[0]);
}

void plan_read(struct plan *plan, FILE *in)
{
    char line[4096];
    while (fgets(line, sizeof line, in) != NULL) {
        take_line(plan, line);
    }
    if (plan->frames <= 0 || plan->frames > FRAMES_MOST || plan->period_ns <= 0 ||
        plan->stage_count < 1 || plan->stage_count > STAGES_MOST ||
        plan->plant_count > PLANTS_MOST || plan->truth[0] == '\0') {
        errno = EINVAL;
        fail("plan");
    }
}
