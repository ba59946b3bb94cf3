// Command kubernetes checks a manifest without a cluster: each object by the types of
// Kubernetes' own API, strictly, and each pod by its Pod Security Standard "restricted".
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	security "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	strict "sigs.k8s.io/yaml"
)

func main() {
	manifest, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(manifest)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(manifest []byte) error {
	var errs []error
	for documents := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(manifest))); ; {
		document := make([]byte, len(manifest))
		n, err := documents.Read(document)
		if err == io.EOF {
			return errors.Join(errs...)
		}
		if err != nil {
			return err
		}
		kind, err := checkObject(document[:n])
		fmt.Println(kind)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", kind, err))
		}
	}
}

func checkObject(document []byte) (kind string, err error) {
	var meta struct{ APIVersion, Kind string }
	if err := strict.Unmarshal(document, &meta); err != nil {
		return "", err
	}
	kind = meta.APIVersion + " " + meta.Kind
	switch kind {
	case "apps/v1 Deployment":
		var d appsv1.Deployment
		if err := strict.UnmarshalStrict(document, &d); err != nil {
			return kind, err
		}
		return kind, checkPod(d)
	case "v1 Service":
		return kind, strict.UnmarshalStrict(document, new(corev1.Service))
	case "policy/v1 PodDisruptionBudget":
		return kind, strict.UnmarshalStrict(document, new(policyv1.PodDisruptionBudget))
	case "networking.k8s.io/v1 NetworkPolicy":
		return kind, strict.UnmarshalStrict(document, new(networkingv1.NetworkPolicy))
	}
	return kind, errors.New("this program does not know it")
}

func checkPod(d appsv1.Deployment) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err
	}
	restricted := security.LevelVersion{Level: security.LevelRestricted, Version: security.LatestVersion()}
	pod := d.Spec.Template
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec))
	if !result.Allowed {
		return errors.New(result.ForbiddenDetail())
	}
	return nil
}
