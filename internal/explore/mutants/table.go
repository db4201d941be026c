package main

import "slices"

var mutants = slices.Concat(doorMutants, endMutants, descriptorMutants, alarmMutants, timerMutants, promiseMutants, jsMutants, volumeMutants)
