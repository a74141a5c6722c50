/* Parts of the runner of bug cases. */
#ifndef WEBNN_TESTS_CASES_CASES_H
#define WEBNN_TESTS_CASES_CASES_H

#include "conformance/vectors.h"

/* Runs a case of kind sequence: its steps are known by the number of the case. False with a reason on failure. */
bool run_sequence(wnn_context *context, json_object *json, char why[WHY]);

#endif
