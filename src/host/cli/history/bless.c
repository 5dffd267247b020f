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

static int bless(struct dj_store *history, const struct dj_trend *trend,
                 const char *change, const struct dj_history_options *options,
                 struct dj_text *out, struct dj_error *err)
{
    const struct dj_trend_segment *segment = NULL;
    const struct dj_trend_change *found = NULL;
    char id[DJ_STORE_ID_BYTES];
    const struct dj_trend_acceptance acceptance = {change, choose_author(options),
                                                   options->why, options->all_devices};
    int code = dj_trend_bless(history, trend, &acceptance, &segment, &found, id, err);
    if (code == 0) {
        dj_text_format(out, "Accepted by blessing %s: ", id);
        dj_text_append_any_name(out, "", segment->words, " ");
        dj_report_describe_trend_change(out, segment, found);
        dj_text_add(out, options->all_devices ? ", on every device\n" : "\n");
    }
    return code;
}

int dj_history_bless_change(const char *change, const struct dj_history_options *options)
{
    struct dj_store *history = NULL;
    struct dj_trend trend = {0};
    struct dj_text out = {0};
    struct dj_error err = {0};
    int code = check_reason(options, true, &err);
    code =
        code == 0 ? dj_store_open(options->store, DJ_STORE_WRITE, &history, &err) : code;
    code = code == 0 ? dj_trend_read(history, &options->query, &trend, &err) : code;
    code = code == 0 ? bless(history, &trend, change, options, &out, &err) : code;
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
