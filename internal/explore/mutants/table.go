package main

import "slices"

var mutants = slices.Concat(doorMutants, endMutants, descriptorMutants, driverMutants, alarmMutants, timerMutants, promiseMutants, jsMutants, volumeMutants)
