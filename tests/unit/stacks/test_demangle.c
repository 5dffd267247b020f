#include "stacks/names/demangle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"

static void expect_name(const char *symbol, const char *expected)
{
    char *name = dj_names_demangle(symbol);
    cr_expect(name != NULL && strcmp(name, expected) == 0, "%s: %s, expected %s", symbol,
              name == NULL ? "nothing" : name, expected);
    free(name);
}

/* Symbols of Qt, LLVM and libstdc++, with the names that c++filt prints. */
Test(demangle, prints_scopes_and_name)
{
    static const char *const cases[][2] = {
        {"_Z4drawv", "draw"},
        {"_ZN5Scene4drawEi", "Scene::draw"},
        {"_ZNK7QString6toUtf8Ev", "QString::toUtf8"},
        {"_ZN5SceneC2EPS_", "Scene::Scene"},
        {"_ZN5SceneD0Ev", "Scene::~Scene"},
        {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<…>::push_back"},
        {"_ZSt4sortIPiEvT_S1_", "std::sort<…>"},
        {"_ZNSs6appendERKSs", "std::string::append"},
        {"_ZNSolsEi", "std::ostream::operator<<"},
        {"_ZN4llvm10LineEditor21getDefaultHistoryPathB5cxx11ENS_9StringRefE",
         "llvm::LineEditor::getDefaultHistoryPath"},
        {"_ZN12_GLOBAL__N_14workEi", "(anonymous namespace)::work"},
        {"_ZZN5Scene4drawERKSt6vectorIiSaIiEEENKUlvE_clEv",
         "Scene::draw::{lambda}::operator()"},
        {"_ZThn16_N10QQuickPath13classCompleteEv", "QQuickPath::classComplete"},
        {"_ZTv0_n24_NSt10istrstreamD0Ev", "std::istrstream::~istrstream"},
        {"_ZN5ArrayILi4EiEixEm", "Array<…>::operator[]"},
        {"_ZL6staticv.cold", "static"},
        {"_Znwm", "operator new"},
        {"_Z5applyIFvPFiiEEJidDpT_EEvv", "apply<…>"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        expect_name(cases[i][0], cases[i][1]);
    }
}

Test(demangle, leaves_other_symbols_alone)
{
    static const char *const symbols[] = {
        "main",           "",         "_Z",     "_ZN",         "_ZNE",
        "_ZN5Scene",      "_Z99draw", "_Z0",    "_ZNS_4drawE", "_ZTV5Scene",
        "_ZC1v",          "_ZNC1Ev",  "_ZNSt",  "_ZNIiEE",     "_Z4drawIX",
        "_ZTh_",          "_ZTv0_",   "_ZNSaB", "_Z4drawIJ",   "_Z4drawILi",
        "_RNvC4core4main"};
    for (size_t i = 0; i < COUNT_OF(symbols); i++) {
        char *name = dj_names_demangle(symbols[i]);
        cr_expect_null(name, "%s: %s", symbols[i], name);
        free(name);
    }
}

/* Each nested part needs memory of this thread's stack. */
Test(demangle, refuses_endless_nesting)
{
    static const char *const parts[] = {"P", "J", "N1aI", "Z1a", "FP", "M"};
    enum { COUNT = 100000 };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        size_t length = strlen(parts[i]);
        char *symbol = malloc(8 + COUNT * length + 1);
        memcpy(symbol, "_Z1aI", 6);
        for (size_t k = 0; k < COUNT; k++) {
            memcpy(symbol + 5 + k * length, parts[i], length + 1);
        }
        cr_expect_null(dj_names_demangle(symbol), "%s", parts[i]);
        free(symbol);
    }
}
