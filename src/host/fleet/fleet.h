/* Runs the commands of `dejank fleet`, and returns their results as documents, JSON or
 * CSV. docs/fleet.md describes the commands for users. */
#ifndef DEJANK_FLEET_FLEET_H
#define DEJANK_FLEET_FLEET_H

#include "compare/verdict.h"
#include "fleet/cluster.h"
#include "report/document.h"

/* The options of all commands. An option that the user has not given is NULL, 0 or
 * false. */
struct dj_fleet_request {
    struct dj_fleet_cluster_place place;
    char **operands; /* The words after the name of the command. */
    int operand_count;
    /* Options of push. */
    const char *store, *spool, *device_id;
    const char *model, *class, *release, *app_version;
    double refresh_hz;
    int64_t ram_mb;
    bool dry_run; /* For push: only reads and checks the sessions, and sends nothing. */
    /* Options of query and prune. */
    const char *by, *app, *version, *since, *before;
    /* Percentages of frames from which a session counts as slow or frozen. */
    const char *slow_session, *frozen_session;
    int64_t top;
    /* Options of compare. */
    const char *from, *to; /* The versions to compare. */
    const char *const *metrics;
    size_t metric_count;
    const char *margin, *alpha;
    bool partial;
    /* For prune and forget: true to delete, false to report only what would be
     * deleted. */
    bool yes;
    const struct dj_messages *messages;
    /* Receives a text about the progress of a long command. */
    void (*show_progress)(void *user, const char *what);
    void *progress_user;
};

/* The result of a command. Zero the struct before use. */
struct dj_fleet_answer {
    struct dj_document document;
    struct dj_text json;
    struct dj_text csv; /* The table as CSV, or empty if the command has no table. */
    bool has_problems;  /* True if check found problems, or if push refused sessions. */
    /* True if `verdict` is valid. Only compare sets it. */
    bool has_verdict;
    enum dj_compare_verdict verdict;
};

/* Runs a command: "init", "push", "query", "compare", "rollup", "check", "prune" or
 * "forget". Returns 0 or an error. The caller finishes *answer even after an error. */
int dj_fleet_run(const char *command, const struct dj_fleet_request *request,
                 struct dj_fleet_answer *answer, struct dj_error *err);

/* Builds the page of the server about one app, request->app. It shows how the app's
 * versions developed by day, a table of all versions, and the devices with the largest
 * share of slow frames. Links lead to other pages of the server. Uses the members place,
 * since, before and partial of the request. */
int dj_fleet_build_app(const struct dj_fleet_request *request,
                       struct dj_document *document, struct dj_error *err);

/* Writes an answer to a file. The suffix of the path selects the format: .json, .csv, or
 * a format of report/document.h. Returns DJ_E_USAGE for any other suffix. */
int dj_fleet_answer_write(const struct dj_fleet_answer *answer, const char *path,
                          struct dj_error *err);
void dj_fleet_answer_finish(struct dj_fleet_answer *answer);

/* Returns whether the command uses the option, which is named without "--". Returns true
 * for an unknown command. */
bool dj_fleet_accepts_option(const char *command, const char *option);
/* Appends the names of the commands that use an option, for example "query, compare". */
void dj_fleet_append_users(struct dj_text *text, const char *option);

/* Returns the name of command number `index`, or NULL after the last one. */
const char *dj_fleet_command_at(size_t index);

#endif
