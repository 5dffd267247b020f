#include <criterion/criterion.h>
#include <string.h>

#include "drive/flows.h"
#include "drive/gesture/list.h"

static void expect(const char *text, const char *gestures)
{
    const struct dj_flow *flow = NULL;
    struct dj_text made = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_flows_expand(text, strlen(text), &flow, &made, &err), 0, "%s: %s",
                 text, err.message);
    cr_expect_str_eq(dj_text_get(&made), gestures);
    cr_expect(strncmp(text, flow->name, strlen(flow->name)) == 0);
    dj_text_finish(&made);
}

Test(flows, parameters_have_defaults)
{
    expect("scroll-down", "fling up x5 pause 700ms @ scrollable");
    expect("scroll-down times=3", "fling up x3 pause 700ms @ scrollable");
    expect("scroll-up", "fling down x5 pause 700ms @ scrollable");
    expect("scroll-down list='text=\"a b\" >> scrollable' pause=1s",
           "fling up x5 pause 1s @ text=\"a b\" >> scrollable");
    expect("alpha-fade tap=\"text=\\\"Menü\\\"\" times=2",
           "tap x2 pause 800ms @ text=\"Menü\"");
    expect("custom-draw wait=3s", "wait 3s");
    expect("launch-cold", "wait 2s");
}

Test(flows, each_flow_is_complete)
{
    struct dj_text table = {0};
    size_t count = 0;
    dj_drive_describe_flows(&table);
    /* Each flow is a paragraph that begins with "NAME: SUMMARY". */
    for (const char *at = dj_text_get(&table); at != NULL; count++) {
        const char *name = count > 0 ? at + 2 : at;
        const struct dj_flow *flow = dj_flows_find(name, strcspn(name, ":")), *again;
        cr_assert(flow != NULL, "%s", name);
        at = strstr(name, "\n\n");
        struct dj_text text = {0}, made = {0};
        struct dj_gesture_list gestures = {0};
        struct dj_error err = {0};
        dj_text_add(&text, flow->name);
        for (size_t k = 0; k < DJ_FLOW_PARAMETERS && flow->parameters[k].name; k++) {
            if (flow->parameters[k].value[0] == '\0') {
                dj_text_format(&text, " %s=clickable", flow->parameters[k].name);
            }
        }
        cr_assert_eq(
            dj_flows_expand(dj_text_get(&text), text.length, &again, &made, &err), 0,
            "%s", err.message);
        cr_assert_eq(again, flow);
        cr_assert_eq(
            dj_gesture_parse_list(dj_text_get(&made), made.length, &gestures, &err), 0,
            "%s: %s", dj_text_get(&made), err.message);
        cr_expect(strlen(flow->stresses) > 10 && strlen(flow->summary) > 10);
        dj_gesture_finish_list(&gestures);
        dj_text_finish(&made);
        dj_text_finish(&text);
    }
    cr_expect_eq(count, 9);
    cr_expect(strstr(dj_text_get(&table), "launch-warm: ") != NULL);
    cr_expect(strstr(dj_text_get(&table), "    stresses ") != NULL);
    dj_text_finish(&table);
}

static void refuse(const char *text, const char *says)
{
    const struct dj_flow *flow;
    struct dj_text made = {0};
    struct dj_error err = {0};
    cr_expect_eq(dj_flows_expand(text, strlen(text), &flow, &made, &err), DJ_E_USAGE,
                 "%s", text);
    cr_expect(strstr(err.message, says) != NULL, "%s gave '%s', not '%s'", text,
              err.message, says);
    dj_text_finish(&made);
}

Test(flows, invalid_flows_are_refused_with_their_column)
{
    refuse("", "column 1: expected a flow's name");
    refuse("scroll", "column 1: expected a flow's name");
    refuse("scroll-down tims=3", "column 13: scroll-down accepts times=, pause=, list=");
    refuse("scroll-down times", "column 13: scroll-down accepts");
    refuse("scroll-down times=", "column 19: expected a value");
    refuse("scroll-down times=\"3", "column 19: this quote is not closed");
    refuse("scroll-down times=3 times=4", "column 21: this parameter is given twice");
    refuse("alpha-fade", "alpha-fade needs tap=, selector of the view that starts");
}
