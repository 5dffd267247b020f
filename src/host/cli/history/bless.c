#include "cli/history/options.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "report/stored_batch.h"
#include "report/trend.h"

enum { WHY_MOST = 2000 };

/* Returns the name to store with a blessing: --who, or the user's name, or NULL. */
static const char *choose_author(const struct dj_history_options *options)
{
    const struct passwd *user = getpwuid(getuid());
    const char *name = getenv("USER");
    return options->who != NULL              ? options->who
           : name != NULL && name[0] != '\0' ? name
           : user != NULL                    ? user->pw_name
                                             : NULL;
}

static bool is_blank(const char *words)
{
    return words == NULL || words[strspn(words, " \t\r\n")] == '\0';
}

static int check_reason(const struct dj_history_options *options, bool who,
                        struct dj_error *err)
{
    if (is_blank(options->why)) {
        return dj_error_set(err, DJ_E_USAGE, "missing option --why TEXT");
    }
    if (strlen(options->why) > WHY_MOST) {
        return dj_error_set(err, DJ_E_USAGE, "--why: expected at most %d bytes",
                            WHY_MOST);
    }
    return who && is_blank(choose_author(options))
               ? dj_error_set(err, DJ_E_USAGE,
                              "missing option --who NAME: the user has no name")
               : 0;
}

static int bless(struct dj_store *history, const struct dj_trend_segment *segment,
                 const struct dj_trend_change *change,
                 const struct dj_history_options *options, struct dj_text *out,
                 struct dj_error *err)
{
    const struct dj_trend_point *point = &segment->points[change->index];
    char name[DJ_TREND_NAME_BYTES];
    char id[DJ_STORE_ID_BYTES];
    dj_trend_format_point_name(point, name);
    const struct dj_blessing blessing = {
        .project = segment->project,
        .metric = segment->metric,
        .segment = options->all_devices ? NULL : segment->key,
        .up = change->direction > 0,
        .from_unix_ms = point->at_unix_ms,
        .from_ordinal = point->at_unix_ms == INT64_MIN ? point->ordinal : -1,
        .from_point = point->id != NULL ? point->id : name,
        .who = choose_author(options),
        .why = options->why,
    };
    int code = dj_store_add_blessing(history, &blessing, id, err);
    if (code != 0) {
        return code;
    }
    dj_text_format(out, "Accepted by blessing %s: ", id);
    dj_text_append_any_name(out, "", segment->words, " ");
    dj_report_describe_trend_change(out, segment, change);
    dj_text_add(out, options->all_devices ? ", on every device\n" : "\n");
    return 0;
}

int dj_history_bless_change(const char *change, const struct dj_history_options *options)
{
    const struct dj_trend_segment *segment = NULL;
    const struct dj_trend_change *found = NULL;
    struct dj_store *history = NULL;
    struct dj_trend trend = {0};
    struct dj_text out = {0};
    struct dj_error err = {0};
    int code = check_reason(options, true, &err);
    code =
        code == 0 ? dj_store_open(options->store, DJ_STORE_WRITE, &history, &err) : code;
    code = code == 0 ? dj_trend_read(history, &options->query, &trend, &err) : code;
    code =
        code == 0 ? dj_trend_find_change(&trend, change, &segment, &found, &err) : code;
    if (code == 0 && found->blessing != NULL) {
        code = dj_error_set(&err, DJ_E_USAGE, "the change is accepted already, by %.60s",
                            found->blessing->who);
    }
    code = code == 0 ? bless(history, segment, found, options, &out, &err) : code;
    dj_trend_finish(&trend);
    dj_store_close(history);
    return dj_cli_finish_output(code, &out, &err);
}

int dj_history_withdraw_blessing(const char *id, const struct dj_history_options *options)
{
    struct dj_store *history = NULL;
    struct dj_text out = {0};
    struct dj_error err = {0};
    int code = check_reason(options, false, &err);
    code =
        code == 0 ? dj_store_open(options->store, DJ_STORE_WRITE, &history, &err) : code;
    code = code == 0 ? dj_store_withdraw_blessing(history, id, options->why, &err) : code;
    if (code == 0) {
        dj_text_add(&out,
                    "The blessing is withdrawn: the change is no longer accepted.\n");
    }
    dj_store_close(history);
    return dj_cli_finish_output(code, &out, &err);
}

int dj_history_list_blessings(const struct dj_history_options *options)
{
    struct dj_store *history = NULL;
    struct dj_text out = {0};
    struct dj_error err = {0};
    int code = dj_store_open_existing(options->store, &history, &err);
    if (code == 0 && options->json) {
        code =
            dj_report_write_blessings_json(&out, history, options->query.project, &err);
    } else if (code == 0) {
        struct dj_document document = {0};
        code =
            dj_report_build_blessings(&document, history, options->query.project, &err);
        dj_cli_append_document(&out, &document, true);
    }
    dj_store_close(history);
    return dj_cli_finish_output(code, &out, &err);
}
