/* The commands of `dejank fleet`: what they read, and their results as documents, JSON or
 * CSV. docs/fleet.md describes them for users. */
#ifndef DEJANK_FLEET_FLEET_H
#define DEJANK_FLEET_FLEET_H

#include "compare/verdict.h"
#include "fleet/cluster.h"
#include "report/document.h"

/* The options of all commands. NULL, 0 and false mean "not given". */
struct dj_fleet_request {
    struct dj_fleet_cluster_place place;
    char **operands; /* What follows the name of the command. */
    int operand_count;
    /* push */
    const char *store, *spool, *device_id;
    const char *model, *class, *release, *app_version;
    double refresh_hz;
    int64_t ram_mb;
    bool dry_run; /* push only reads and checks. */
    /* query, prune */
    const char *by, *app, *version, *since, *before;
    const char *slow_session, *frozen_session; /* Percentages of frames. */
    int64_t top;
    /* compare */
    const char *from, *to; /* Versions. */
    const char *const *metrics;
    size_t metric_count;
    const char *margin, *alpha;
    bool partial;
    bool yes; /* prune and forget delete, instead of saying what they would delete. */
    const struct dj_messages *messages;
    /* Shows what a long command does. */
    void (*show_progress)(void *user, const char *what);
    void *progress_user;
};

/* The result of a command. Zero it before use. */
struct dj_fleet_answer {
    struct dj_document document;
    struct dj_text json;
    struct dj_text csv; /* Empty if the command has no table. */
    bool has_problems;  /* check found problems, or push refused sessions. */
    /* The verdict of compare. */
    bool has_verdict;
    enum dj_compare_verdict verdict;
};

/* Runs a command: "init", "push", "query", "compare", "rollup", "check", "prune" or
 * "forget". Returns 0, or an error. The caller finishes the answer in every case. */
int dj_fleet_run(const char *command, const struct dj_fleet_request *request,
                 struct dj_fleet_answer *answer, struct dj_error *err);

/* Builds what a page of the server shows about one app, request->app: how its versions
 * developed by day, all versions, and the devices with the largest share of slow frames.
 * Links lead to pages of the server. Uses place, since, before and partial of the
 * request. */
int dj_fleet_build_app(const struct dj_fleet_request *request,
                       struct dj_document *document, struct dj_error *err);

/* Writes an answer to a file. Its suffix selects the form: .json, .csv, or one of
 * report/document.h. Returns DJ_E_USAGE for another suffix. */
int dj_fleet_answer_write(const struct dj_fleet_answer *answer, const char *path,
                          struct dj_error *err);
void dj_fleet_answer_finish(struct dj_fleet_answer *answer);

/* Returns whether a command uses an option, which is named without "--". Returns true for
 * an unknown command. */
bool dj_fleet_accepts_option(const char *command, const char *option);
/* Appends the commands that use an option: "query, compare". */
void dj_fleet_append_users(struct dj_text *text, const char *option);

/* Returns the name of command number `index`, or NULL after the last one. */
const char *dj_fleet_command_at(size_t index);

#endif
